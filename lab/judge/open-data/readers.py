"""Reads the open data with third-party programs: calendars with icalendar and calcurse, tables with Python's csv, and the
catalogue and the data sets' own descriptions with pyld.
"""

import csv
import datetime
import io
import json
import os
import re
import subprocess
import tempfile
import urllib.request
from html import unescape

from icalendar import Calendar
from pyld import jsonld

ORIGIN = os.environ["JUDGE_ORIGIN"]
DCAT, DCT = "http://www.w3.org/ns/dcat#", "http://purl.org/dc/terms/"


def read(path: str) -> bytes:
    with urllib.request.urlopen(f"{ORIGIN}/open-data{path}") as answer:
        return answer.read()


def one(node: dict, name: str):
    values = node[name]
    assert len(values) == 1, (name, values)
    return values[0].get("@id", values[0].get("@value"))


def calendars() -> int:
    count = 0
    for period in ("month", "quarter", "year"):
        for language in ("nl", "en"):
            text = read(f"/deadlines.ics?vatPeriod={period}&lang={language}")
            calendar = Calendar.from_ical(text)
            assert not calendar.errors, calendar.errors
            assert calendar["VERSION"] == "2.0" and calendar["PRODID"], calendar
            events = calendar.walk("VEVENT")
            assert len({str(event["UID"]) for event in events}) == len(events), "each event has an id of its own"
            for event in events:
                assert not event.errors, event.errors
                assert isinstance(event.decoded("DTSTART"), datetime.date) and event["DTSTAMP"] and event["SUMMARY"]
                assert event.decoded("DTEND") - event.decoded("DTSTART") == datetime.timedelta(days=1)
            # The export must equal the import.
            assert len(Calendar.from_ical(calendar.to_ical()).walk("VEVENT")) == len(events)
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "deadlines.ics")
                with open(file, "wb") as out:
                    out.write(text)
                calcurse = ["calcurse", "--directory", folder, "--confdir", folder]
                subprocess.run([*calcurse, "--import", file], check=True, stdout=subprocess.DEVNULL)
                shown = subprocess.run([*calcurse, "--grep", "--format-event", "%m\n"], check=True, capture_output=True, text=True)
                # Unfold the lines, and undo the escapes.
                wanted = sorted(str(event["SUMMARY"]) for event in events)
                assert sorted(line for line in shown.stdout.splitlines() if line) == wanted, shown.stdout
            count += len(events)
    return count


def tables(catalog: dict) -> int:
    count = 0
    for entry in catalog["datasets"]:
        for language in ("nl", "en"):
            data = json.loads(read(f"/{entry['id']}.json?lang={language}"))["data"]
            text = read(f"/{entry['id']}.csv?lang={language}")
            lines = text.decode("utf-8")
            assert lines.count("\r\n") == lines.count("\n"), "lines end in CR LF"
            rows = list(csv.reader(io.StringIO(lines, newline=""), strict=True))
            names = list(data[0])
            assert rows[0] == names, entry["id"]
            assert len(rows) - 1 == len(data), entry["id"]
            for row, wanted in zip(rows[1:], data):
                assert len(row) == len(names), row
                for field, name in zip(row, names):
                    value = wanted[name]
                    if value is None:
                        same = field == ""
                    elif isinstance(value, bool):
                        same = field == str(value).lower()
                    elif isinstance(value, (int, float)):
                        same = float(field) == value
                    else:
                        same = field == value
                    assert same, (entry["id"], name, field, value)
            count += len(data)
    return count


def offline(url: str, _options: dict) -> dict:
    """A vocabulary of schema.org for use without network: it contains every name, and these properties are addresses."""
    assert url in ("https://schema.org/", "http://schema.org/"), url
    addresses = ("url", "license", "contentUrl", "citation")
    context = {"@vocab": "http://schema.org/"} | {name: {"@id": f"http://schema.org/{name}", "@type": "@id"} for name in addresses}
    return {"contentType": "application/ld+json", "contextUrl": None, "documentUrl": url, "document": {"@context": context}}


def linked_data(catalog: dict) -> int:
    jsonld.set_document_loader(offline)
    document = json.loads(read("/catalog.jsonld"))
    expanded = jsonld.expand(document)
    assert len(expanded) == 1
    root = expanded[0]
    assert root["@type"] == [f"{DCAT}Catalog"]
    datasets = root[f"{DCAT}dataset"]
    assert [one(dataset, f"{DCT}identifier") for dataset in datasets] == [entry["page"] for entry in catalog["datasets"]]
    needed = ("title", "description", "publisher", "license", "modified", "language", "accessRights", "temporal")
    for dataset in datasets:
        assert dataset["@type"] == [f"{DCAT}Dataset"]
        for name in needed:
            assert dataset[f"{DCT}{name}"], (dataset["@id"], name)
        for name in ("contactPoint", "theme", "landingPage"):
            assert dataset[f"{DCAT}{name}"], (dataset["@id"], name)
        distributions = dataset[f"{DCAT}distribution"]
        assert len(distributions) == 2
        for distribution in distributions:
            address = one(distribution, f"{DCAT}downloadURL")
            assert address.startswith(ORIGIN) and read(address.removeprefix(f"{ORIGIN}/open-data")), address
    # Every node and every property has an address as its name: none was dropped as unknown.
    triples = jsonld.to_rdf(document, {"format": "application/n-quads"})
    assert triples.count(f"<{DCAT}Dataset>") == len(datasets)
    for entry in catalog["datasets"]:
        for language in ("nl", "en"):
            page = read(f"/{entry['id']}?lang={language}").decode()
            script = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.S)
            described = jsonld.expand(json.loads(unescape(script[1])))[0]
            assert described["@type"] == ["http://schema.org/Dataset"]
            for name in ("name", "description", "license", "distribution", "dateModified", "temporalCoverage"):
                assert described[f"http://schema.org/{name}"], (entry["id"], name)
    return triples.count("\n")


def main() -> None:
    catalog = json.loads(read("/catalog.json"))
    print(f"{calendars()} events read by icalendar and calcurse")
    print(f"{tables(catalog)} rows read by csv, the same as in JSON")
    print(f"{linked_data(catalog)} statements about the data sets read by pyld")


main()
