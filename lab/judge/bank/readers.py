"""Compares the lines of bank statements with those that other readers find in the same files.

The readers are `mt-940` for MT940, `ofxstatement-dutch` for the CSV files of ING, Knab and ASN, and
the crate `camt053` for CAMT.053. A line is a date, an amount in cents with its sign, and the IBAN
of the counterparty where the other reader tells one. Every file that another reader cannot read,
and every line that differs, is listed below with its reason; anything else is a failure.
"""

import argparse
from collections import Counter, defaultdict
from decimal import Decimal
import importlib
import logging
from pathlib import Path
import sys

import mt940

# Part of the lines that have to be equal.
EQUAL = Decimal("0.995")
# Files, by reader and the end of their names, that the other reader refuses or reads only in part,
# with the reason.
UNREAD = {
    "mt-940": {
        "asn.940": "ASN writes an IBAN of 18 characters as reference, which SWIFT limits to 16",
        "asn-sample.sta": "ASN writes an IBAN of 18 characters as reference, as above",
        "rabo-sample.sta": "Rabobank once wrote amounts with a point, where it stops",
    },
    "ofxstatement-dutch": {
        "ing-english.csv": "it knows the head in Dutch only",
        "ing-spaar.csv": "it knows the head of checking accounts only",
    },
    "camt053": {},
}
# Lines that differ, by reader and the end of the name of their file: how many, and why ours is
# right.
DIFFERENT = {"mt-940": {}, "ofxstatement-dutch": {}, "camt053": {}}
# Files that we refuse, by the end of their names.
REFUSED = {
    "example-camt053-b.xml": "an account in US dollars",
    "postfinance.sta": "an account in Swiss francs",
}
# Plugin of ofxstatement-dutch, by a word in the name of the file.
PLUGINS = {"ing": "ing", "knab": "knab", "asn": "asn", "sns": "asn"}


def text_of(path):
    """Text of a file in UTF-8 or windows-1252."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def cents_of(amount):
    """Amount in cents, which has no finer part."""
    cents = Decimal(amount) * 100
    assert cents == int(cents), amount
    return int(cents)


def by_mt940(path):
    """Lines of an MT940 file; the date of a line is its entry date, if it has one."""
    for line in mt940.parse(text_of(path)):
        if "amount" in line.data and line.data["amount"].currency == "EUR":
            day = line.data.get("entry_date") or line.data["date"]
            iban = line.data.get("applicant_iban") or ""
            yield str(day), cents_of(line.data["amount"].amount), iban.strip()


def words_of(file):
    """Words in the name of a file."""
    return set(Path(file).stem.split("-"))


def by_ofxstatement(path):
    """Lines of a CSV file."""
    plugin = next(PLUGINS[word] for word in PLUGINS if word in words_of(path))
    module = importlib.import_module(f"ofxstatement.plugins.nl.{plugin}")
    parser = module.Plugin(None, {}).get_parser(str(path))
    for line in parser.parse().lines:
        iban = line.bank_account_to.acct_id if line.bank_account_to else ""
        yield str(line.date.date()), cents_of(line.amount), iban.strip()


def table(path):
    """Lines of a table by file, and the reasons of refused files."""
    lines, refused = defaultdict(list), {}
    for row in path.read_text("utf-8").splitlines():
        file, *rest = row.split("\t")
        if len(rest) == 3:
            lines[file].append((rest[0], int(rest[1]), rest[2]))
        else:
            refused[file] = rest[0] if rest else ""
    return lines, refused


def differences(ours, theirs):
    """Lines of either reader without an equal one of the other."""
    ours, only_theirs = Counter(ours), []
    # Lines with an IBAN choose first.
    for line in sorted(theirs, key=lambda line: not line[2]):
        fits = (of for of in ours.elements() if of[:2] == line[:2] and line[2] in ("", of[2]))
        equal = next(fits, None)
        if equal is None:
            only_theirs.append(line)
        else:
            ours[equal] -= 1
    return list(ours.elements()), only_theirs


def reason_of(listed, file):
    """Entry of a file in a list, by the end of its name."""
    return next((of for end, of in listed.items() if file.endswith(end)), None)


def attempt(read, file):
    """Lines that a reader finds in a file, or the reason why it refuses it."""
    try:
        return list(read(file)), None
    except Exception as error:  # pylint: disable=broad-exception-caught
        return [], error


def compare(name, files, ours, read):
    """Compares the files that a reader reads; returns whether all is as listed."""
    equal = count = unread = wrong = 0
    for file in files:
        theirs, error = attempt(read, file)
        mine, other = differences(ours[file], theirs)
        different = max(len(mine), len(other))
        if reason_of(UNREAD[name], file):
            unread += 1
            if different == 0:
                print(f"  {name}: {file} is read, though it is listed as not read")
                wrong += 1
            continue
        listed, _ = reason_of(DIFFERENT[name], file) or (0, "")
        if different != listed:
            print(f"  {name}: {file}: {different} lines differ, {listed} are listed; {error or ''}")
            print(f"    ours   {mine[:5]}\n    theirs {other[:5]}")
            wrong += 1
        lines = max(len(ours[file]), len(theirs))
        count += lines
        equal += lines - different
    print(f"{name:<20} {equal} of {count} lines are equal; {unread} of {len(files)} files not read")
    return wrong == 0 and count > 0 and equal >= EQUAL * count


def main():
    """Reads the options and runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", type=Path, required=True, help="table of our lines")
    parser.add_argument("--camt053", type=Path, required=True, help="table of the crate's lines")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    ours, refused = table(options.ours)
    camt, camt_refused = table(options.camt053)

    def by_camt053(file):
        if file in camt_refused:
            raise ValueError(camt_refused[file])
        return camt[file]

    readers = (
        ("mt-940", (".940", ".sta"), lambda file: by_mt940(Path(file))),
        ("ofxstatement-dutch", (".csv",), lambda file: by_ofxstatement(Path(file))),
        ("camt053", (".xml",), by_camt053),
    )
    results = []
    for name, endings, read in readers:
        files = [file for file in options.files if file.endswith(endings)]
        if name == "ofxstatement-dutch":
            files = [file for file in files if PLUGINS.keys() & words_of(file)]
        for file in refused.keys() & set(files):
            if reason_of(REFUSED, file) is None:
                print(f"  {file} is refused by us")
                results.append(False)
        files = [file for file in files if file not in refused]
        results.append(compare(name, files, ours, read))
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
