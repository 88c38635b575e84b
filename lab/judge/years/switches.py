"""What a random year may contain."""

import random

SWITCHES = {
    "assets": "assets and their depreciation",
    "before": "payments before the invoice (art. 13(2) Wet OB 1968)",
    "cash": "cash accounting, perhaps left in the course of the year",
    "corrections": "returns filed in the course of the year, and late documents as corrections",
    "credits": "credit notes, whole and by lines, and refunds",
    "cutOff": "expenses of which a period belongs to another year",
    "decimals": "quantities and prices with more decimals",
    "drafts": "drafts",
    "edits": "drafts that are changed and sent",
    "exempt": "exempt supplies",
    "expenses": "expenses and bills",
    "export": "exports, and services outside the EU",
    "filed": "all returns filed at the end",
    "goods": "goods for private use, by the step of the year's end",
    "gross": "prices including VAT",
    "hours": "hours that are not invoiced",
    "icp": "supplies to businesses in other EU countries",
    "icpBig": "so many goods that ICP declarations are monthly",
    "icpFiled": "ICP declarations filed with the returns",
    "kor": "small businesses scheme, perhaps begun or ended in the course of the year",
    "korPass": "a supply that passes its limit",
    "late": "invoices of the next year for supplies of this one",
    "oss": "sales to consumers in other EU countries under the Union scheme",
    "owner": "money of the owner, transfers, a loan, entries by hand",
    "prepay": "prepayments and final invoices",
    "private": "private use of a car and of goods",
    "revision": "assets of earlier years, and the revision of their VAT",
    "sales": "assets that are sold",
    "shares": "expenses that are partly private",
    "shifted": "purchases with VAT that the buyer owes (2a, 4a, 4b), and imports",
    "supply": "days of supply that differ from the date of the invoice",
    "surplus": "payments above what is due, kept for the customer",
    "switched": "method and scheme recorded after documents that are booked again",
    "trips": "business kilometres",
    "undo": "payments and write-offs that are undone",
    "units": "returns by month or year",
    "vatPayments": "payments of VAT by period",
    "writeOffs": "bad debts and payment differences",
    "zero": "zero rate, domestic reverse charge, outside the scope of VAT",
}


def of_year(seed, only):
    """Switches of a year: those that are named, or a random half of all."""
    if only is not None:
        return set(only)
    chooser = random.Random(f"switches {seed}")
    chosen = {name for name in SWITCHES if chooser.random() < 0.5}
    # A filed declaration keeps its period, and the limit for goods decides on the periods.
    return chosen - {"icpFiled"} if "icpBig" in chosen else chosen
