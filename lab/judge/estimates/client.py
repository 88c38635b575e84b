"""Client of the open data: one connection per thread, kept alive."""

import http.client
from urllib.parse import urlencode, urlsplit

from exact import load


class Client:
    """Reads data sets and asks calculators."""

    def __init__(self, origin):
        parts = urlsplit(origin)
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)

    def get(self, path):
        """Status and body of an answer."""
        self.connection.request("GET", "/open-data/" + path)
        answer = self.connection.getresponse()
        return answer.status, load(answer.read().decode())

    def rows(self, dataset):
        """All rows of a data set."""
        status, body = self.get(f"{dataset}.json")
        assert status == 200, body
        return body["data"]

    def calculate(self, calculator, parameters):
        """Status and body of the answer of a calculator."""
        return self.get(f"calculators/{calculator}.json?{urlencode(parameters)}")
