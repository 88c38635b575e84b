"""Judges payment files, codes of payments and balances of bank accounts that the API returns.

The schemas of ISO 20022 and the SEPA guidelines judge the files, zbar reads the codes, and hledger
adds up the journal: per bank account and day it must have the balance that the bank had.
"""

import argparse
import importlib.util
from pathlib import Path
import sys
import tempfile

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "years"))

import balances  # pylint: disable=wrong-import-position
import payments  # pylint: disable=wrong-import-position
from client import Client  # pylint: disable=wrong-import-position
from compare import Cells  # pylint: disable=wrong-import-position


def validator():
    """The program that judges documents."""
    path = FOLDER.parent / "documents/validate.py"
    spec = importlib.util.spec_from_file_location("validate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    """Reads the options and runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--origin", required=True, help="origin of the server")
    parser.add_argument("--key", required=True, nargs="+", help="key of one new account per part")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cells = Cells()
    with tempfile.TemporaryDirectory() as folder:
        client = Client(options.origin, options.key[0])
        payments.judge(cells, client, validator(), Path(folder))
    balances.judge(cells, Client(options.origin, options.key[1]), options.seed)
    for area, name, expected, actual in cells.differences[:20]:
        print(f"  {area}: {name}: expected {expected}, actual {actual}")
    for area, count in sorted(cells.by_area.items()):
        print(f"{area:<14} {count:>6} cells")
    print(f"{cells.count} cells compared, {len(cells.differences)} differ")
    sys.exit(0 if not cells.differences else 1)


if __name__ == "__main__":
    main()
