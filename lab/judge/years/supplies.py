"""What the law says about one document of sales: groups, VAT, boxes, and the day of the VAT."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from money import percent, times, vat_within

# Revenue account, VAT account and box of a supply.
STANDARD = {"21": ("8000", "1700", "1a"), "9": ("8010", "1710", "1b")}
OTHERS = {
    "zero": ("8030", "1e"),
    "reverseCharge": ("8040", "1e"),
    "export": ("8060", "3a"),
    "serviceOutsideEu": ("8065", None),
    "exempt": ("8070", None),
    "outOfScope": ("8080", None),
}
# Boxes whose VAT is due on payment under cash accounting.
DEFERRED = ("1a", "1b", "1c", "1e")


@dataclass(frozen=True)
class Key:
    """Lines of one kind and rate, whose VAT is computed over their sum."""

    rate: str
    category: str
    supply: str = "services"
    exemption: str | None = None
    country: str | None = None

    def accounts(self):
        """Revenue account, VAT account and box."""
        if self.category == "standard":
            return STANDARD[self.rate]
        if self.category == "oss":
            return "8057", "1725", None
        if self.category == "intraCommunity":
            return ("8050" if self.supply == "services" else "8055"), None, "3b"
        account, box = OTHERS[self.category]
        return account, None, box

    @property
    def box(self):
        """Box of the return."""
        return self.accounts()[2]

    @property
    def pays(self):
        """Whether Dutch VAT is due."""
        return self.category == "standard"


@dataclass
class Line:
    """Line of an invoice; `amount` is net or, with gross prices, gross."""

    quantity: Decimal
    price: Decimal
    key: Key
    amount: int = 0
    credited: Decimal = Decimal(0)
    left: int = 0

    def __post_init__(self):
        self.amount = self.left = times(self.quantity, self.price)


@dataclass
class Sum:
    """Base and VAT of a group, and under gross prices what they come from."""

    base: int = 0
    vat: int = 0
    gross: int = 0

    @property
    def total(self):
        """Amount including VAT."""
        return self.base + self.vat


def totals(lines, gross_prices):
    """Base and VAT of each group of lines, given as key and amount."""
    sums = {}
    for key, amount in lines:
        sums[key] = sums.get(key, 0) + amount
    groups = {}
    for key, amount in sums.items():
        if gross_prices:
            vat = vat_within(amount, key.rate)
            groups[key] = Sum(amount - vat, vat, amount)
        else:
            vat = percent(amount, key.rate)
            groups[key] = Sum(amount, vat, amount)
    return groups


def fifteenth_after(day):
    """The 15th of the month after a day (art. 34g Wet OB 1968)."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 15)


def vat_day(invoice_date, supplied, keys):
    """Day on which the VAT of an invoice is due (art. 13(1)(a) Wet OB 1968)."""
    if supplied is None:
        return invoice_date
    days = []
    for key in keys:
        if key.category == "intraCommunity" and key.supply == "services":
            days.append(supplied)
        else:
            days.append(min(invoice_date, fifteenth_after(supplied)))
    return min(days)


@dataclass
class Invoice:
    """An invoice with all that happened to it since."""

    id: str
    date: date
    supplied_from: date | None
    supplied: date | None
    vat_day: date
    gross_prices: bool
    lines: list
    groups: dict
    customer: dict
    prepayment: bool = False
    draft: bool = False
    deferred: bool = False
    left: dict = field(default_factory=dict)
    paid: int = 0
    credited: int = 0
    written: int = 0
    # Under cash accounting: base and VAT that belong to the payments, that are due so far (after
    # leaving, all of it), and that are lost.
    received: dict = field(default_factory=dict)
    due: dict = field(default_factory=dict)
    lost: dict = field(default_factory=dict)
    dues: list = field(default_factory=list)
    # Amount received in an earlier period than that of the VAT.
    moved: int = 0
    finals: list = field(default_factory=list)
    set_off: list = field(default_factory=list)
    free: dict = field(default_factory=dict)
    credits: list = field(default_factory=list)
    # Names of payments and other events, in order, and what each payment made due.
    events: list = field(default_factory=list)
    payments: dict = field(default_factory=dict)

    @property
    def total(self):
        """Total including VAT."""
        return sum(group.total for group in self.groups.values())

    @property
    def balance(self):
        """Amount that the customer still owes; negative if it is to be refunded."""
        return self.total - self.credited - self.written - self.paid

    @property
    def supply_day(self):
        """Last day of supply, or else the invoice date."""
        return self.supplied or self.date

    @property
    def method_day(self):
        """Day whose method applies: that of the supply, or of the invoice if that comes first.

        The VAT of an invoice that is sent before the supply is due at once (art. 13(1)(a) Wet OB
        1968), so it follows the method of that day.
        """
        return min(self.supply_day, self.vat_day)

    @property
    def remaining(self):
        """Total after the credit notes."""
        return sum(group.total for group in self.left.values())

    def open_vat(self):
        """VAT that is not due yet under cash accounting."""
        if not self.deferred:
            return 0
        rest = 0
        for key, group in self.left.items():
            if key.box in DEFERRED:
                rest += group.vat
                for sums in (self.due, self.lost):
                    rest -= sums.get(key, (0, 0))[1]
        return rest
