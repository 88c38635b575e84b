"""Judges written by others: hledger reads the journal; the schemas of the tax office and pyxaf
read the audit files."""

import importlib.util
from pathlib import Path
import shutil
import subprocess
from xml.etree import ElementTree

from compare import cents
from money import euros, to_cents

VERSIONS = ("3.2", "4.0")
# Accounts that begin each year at zero; their balance moves to equity.
EQUITY, BEGINS_AT_ZERO = "0500", ("0510", "0520", "0530", "0540", "0550")


class Judges:
    """The judges as installed here. Raises `ImportError` or `FileNotFoundError` without them."""

    def __init__(self):
        self.hledger = shutil.which("hledger")
        if self.hledger is None:
            raise FileNotFoundError("hledger is not installed")
        import pyxaf  # pylint: disable=import-outside-toplevel

        self.pyxaf = pyxaf
        path = Path(__file__).parent.parent / "documents/validate.py"
        spec = importlib.util.spec_from_file_location("validate", path)
        self.validate = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.validate)

    def judge(self, cells, client, entries, years):
        """Judges the journal and the audit files of consecutive years."""
        cells.table("hledger", "balance", balances(entries), self.balance(entries))
        closing = {}
        for year in years:
            for version in VERSIONS:
                text = client.text(f"/audit-files/{year}?version={version}")
                name = f"{year} {version}"
                cells.cell("schema", name, [], self.by_schema(text))
                report = self.pyxaf.validate(text)
                cells.cell("pyxaf", name, [], [str(error) for error in report.errors])
                opened, moved = sums(text, "obLine"), sums(text, "trLine")
                if version in closing:
                    cells.table("opening", name, closing[version], opened)
                closing[version] = carried(opened, moved)

    def by_schema(self, text):
        """Violations of the schema of the file's version."""
        tree = self.validate.etree.fromstring(text).getroottree()
        namespace = self.validate.etree.QName(tree.getroot()).namespace
        schema = self.validate.xsd("pyxaf", self.validate.XAF[namespace])
        return [each["text"] for each in self.validate.by_xsd(tree, schema, "XAF")]

    def balance(self, entries):
        """Balance of each account by hledger, in cents."""
        lines = []
        for entry in entries:
            lines.append(f"{entry['date']} entry {entry['id']}")
            for line in entry["lines"]:
                amount = euros(cents(line["debit"]) - cents(line["credit"]))
                lines.append(f"    {line['accountCode']}  EUR {amount}")
            lines.append("")
        command = [self.hledger, "-f", "-", "balance", "--flat", "--no-total", "-O", "csv"]
        done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = {}
        for line in done.stdout.splitlines()[1:]:
            account, amount = (part.strip('"') for part in line.split(",", 1))
            found[account] = to_cents(amount.removeprefix("EUR").replace(",", "").strip())
        return found


def balances(entries):
    """Balance of each account, in cents, without those that are zero."""
    found = {}
    for entry in entries:
        for line in entry["lines"]:
            amount = cents(line["debit"]) - cents(line["credit"])
            code = line["accountCode"]
            found[code] = found.get(code, 0) + amount
    return {code: amount for code, amount in found.items() if amount}


def sums(text, name):
    """Balance of each account in the lines of an audit file."""
    found = {}
    for element in ElementTree.fromstring(text).iter():
        if element.tag.rsplit("}", 1)[-1] != name:
            continue
        values = {child.tag.rsplit("}", 1)[-1]: child.text for child in element}
        amount = to_cents(values["amnt"]) * (1 if values["amntTp"] == "D" else -1)
        found[values["accID"]] = found.get(values["accID"], 0) + amount
    return {code: amount for code, amount in found.items() if amount}


def carried(opened, moved):
    """Opening balance of the next year: the result and private accounts move to equity."""
    found = {}
    for sums_ in (opened, moved):
        for code, amount in sums_.items():
            to_equity = code >= "4000" or code in BEGINS_AT_ZERO
            code = EQUITY if to_equity else code
            found[code] = found.get(code, 0) + amount
    return {code: amount for code, amount in found.items() if amount}
