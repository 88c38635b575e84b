"""Client of the API: one connection per thread, kept alive."""

import http.client
import subprocess
import time
from urllib.parse import urlsplit

from money import dump, load


class Refused(Exception):
    """Answer other than success."""


class Client:
    """Calls the API with the key of one account."""

    def __init__(self, origin, key=None, connection=None):
        parts = urlsplit(origin)
        self.connection = connection or http.client.HTTPConnection(
            parts.hostname, parts.port, timeout=60
        )
        self.key = key
        self.calls = 0

    def with_key(self, key):
        """The same connection with another key."""
        self.key = key
        return self

    def call(self, method, path, body=None):
        """Body of the answer; raises `Refused` if it is not a success."""
        headers = {"X-API-Key": self.key}
        text = None
        if body is not None:
            text = dump(body).encode()
            headers["Content-Type"] = "application/json"
        read = self.send(method, path, text, headers)
        return load(read) if read else None

    def send(self, method, path, text, headers):
        """Bytes of the answer; raises `Refused` if it is not a success."""
        self.connection.request(method, "/api/v1" + path, text, headers)
        answer = self.connection.getresponse()
        read = answer.read()
        self.calls += 1
        if answer.status not in (200, 201, 204):
            sent, said = text and text.decode(), read.decode(errors="replace")
            raise Refused(f"{method} {path} {sent} -> {answer.status} {said}")
        return read

    def text(self, path):
        """Reads a file as bytes. The server generates one at a time and answers 503 meanwhile."""
        while True:
            try:
                return self.send("GET", path, None, {"X-API-Key": self.key})
            except Refused as refused:
                if "-> 503 " not in str(refused):
                    raise
                time.sleep(0.1)

    def get(self, path):
        """Reads a resource."""
        return self.call("GET", path)

    def post(self, path, body=None):
        """Creates a resource."""
        return self.call("POST", path, {} if body is None else body)

    def all(self, path):
        """All rows of a list."""
        rows, cursor = [], None
        sign = "&" if "?" in path else "?"
        while True:
            page = self.get(path + (f"{sign}cursor={cursor}" if cursor else ""))
            rows += page["data"]
            cursor = page["nextCursor"]
            if cursor is None:
                return rows


class Program:
    """Command line of the program."""

    def __init__(self, binary, database):
        self.binary, self.database = binary, database

    def run(self, *arguments):
        """Output of a command as JSON."""
        command = [self.binary, "--database", self.database, *arguments, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def open_account(self, email):
        """Opens an account and returns a key for it."""
        add = ("account", "add", "--email", email, "--name", "Jaar", "--plan", "pro")
        code, _, said = self.run(*add)
        assert code == 0, said
        scopes = ("--scope", "read", "--scope", "write", "--scope", "file")
        code, made, said = self.run("key", "add", "--email", email, "--name", "years", *scopes)
        assert code == 0, said
        return load(made)["key"]

    def verify(self):
        """Number of discrepancies that the program finds in its own books."""
        _, found, said = self.run("verify")
        return load(found)["discrepancies"] if found else said
