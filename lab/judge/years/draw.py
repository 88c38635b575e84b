"""Random inputs: customers, lines, prices, expenses and assets."""

from datetime import date, timedelta
from decimal import Decimal

from supplies import Key

# VAT rates of other member states, from their law: country, goods and services.
RATES = {
    "DE": ("19", "7"),
    "FR": ("20", "10", "5.5", "2.1"),
    "BE": ("21", "12", "6"),
    "ES": ("21", "10", "4"),
    "HU": ("27", "18", "5"),
    "FI": ("25.5", "14", "10"),
    "LU": ("17", "14", "8"),
    "IE": ("23", "13.5", "9"),
    "AT": ("20", "13", "10"),
    "SE": ("25", "12", "6"),
}
COSTS = ("4000", "4100", "4110", "4120", "4210", "4300", "4400", "7000", "7100", "4315")


def belgian(random):
    """A Belgian VAT number with its check digits."""
    stem = random.randint(1_000_000, 9_999_999)
    return f"BE0{stem}{97 - stem % 97:02}"


def german(random):
    """A German VAT number with its check digit (ISO 7064, MOD 11, 10)."""
    digits = [random.randint(1, 9)] + [random.randint(0, 9) for _ in range(7)]
    product = 10
    for digit in digits:
        total = (digit + product) % 10 or 10
        product = 2 * total % 11
    return "DE" + "".join(map(str, digits)) + str((11 - product) % 10)


class Draw:
    """Draws inputs by the switches of a year."""

    def __init__(self, random, switches):
        self.random, self.on = random, switches
        self.oss_from = None
        self.eu = [("BE", belgian(random)), ("DE", german(random)), ("BE", belgian(random))]

    def unit(self):
        """Unit of the VAT periods."""
        if "units" not in self.on:
            return "quarter"
        return self.random.choice(("quarter", "month", "year"))

    def price(self, small=False):
        """A price per unit: round, in cents, or with more decimals."""
        kind, most = self.random.random(), 300 if small else 4000
        if kind < 0.3:
            return Decimal(self.random.randint(1, most))
        if kind < 0.8 or "decimals" not in self.on:
            return Decimal(self.random.randint(1, 100 * most)).scaleb(-2)
        return Decimal(self.random.randint(1, 100_000 * most)).scaleb(-5)

    def quantity(self):
        """A quantity."""
        if "decimals" in self.on and self.random.random() < 0.3:
            return Decimal(self.random.randint(1, 2000)).scaleb(-2)
        return Decimal(self.random.randint(1, 6))

    def dutch(self):
        """A customer in the Netherlands."""
        number = self.random.randint(1, 5)
        return {"name": f"Klant {number}", "country": "NL", "externalId": f"nl{number}"}

    # Long: one branch per kind of customer.
    def keys(self, day, is_kor):
        """A customer, and the kinds of lines for it."""
        random, on = self.random, self.on
        if self.oss_from and day >= self.oss_from and random.random() < 0.5:
            country = random.choice(sorted(RATES))
            customer = {
                "name": f"Consument {country}", "country": country, "consumer": True,
                "externalId": f"c{country}",
            }
            rates = RATES[country]
            if country == "FI" and day.year > 2025:
                rates = ("25.5", "13.5", "10")
            keys = [
                Key(random.choice(rates), "oss", supply, None, country)
                for supply in random.sample(("goods", "electronic"), 2)
            ]
            return customer, keys[: random.randint(1, 2)]
        if is_kor:
            grounds = ["kor"] + (["article11", "article11Counted"] if "exempt" in on else [])
            keys = [Key("0", "exempt", "services", ground) for ground in grounds]
            return self.dutch(), random.sample(keys, random.randint(1, len(keys)))
        if "icp" in on and random.random() < 0.3:
            country, number = random.choice(self.eu)
            customer = {"name": f"Zaak {number}", "country": country, "externalId": number}
            if random.random() < 0.9:
                customer["vatNumber"] = number
            else:
                customer["externalId"] += "-"
            supplies = random.sample(("services", "goods", "triangular"), random.randint(1, 2))
            return customer, [Key("0", "intraCommunity", supply) for supply in supplies]
        if "export" in on and random.random() < 0.15:
            customer = {"name": "Customer in the US", "country": "US", "externalId": "us"}
            pair = random.choice((("export", "goods"), ("serviceOutsideEu", "services")))
            return customer, [Key("0", *pair)]
        rates = [Key("21", "standard"), Key("9", "standard")]
        if "zero" in on and random.random() < 0.3:
            rates += [Key("0", "zero"), Key("0", "reverseCharge"), Key("0", "outOfScope")]
        if "exempt" in on and random.random() < 0.4:
            rates += [Key("0", "exempt", "services", ground)
                      for ground in ("article11", "article11Counted")]
        return self.dutch(), random.sample(rates, random.randint(1, min(3, len(rates))))

    def invoice(self, day, late, is_kor, is_cash):
        """An invoice of a day."""
        del is_cash
        random = self.random
        first = until = None
        if late:
            until = date(day.year - 1, 12, 31) + timedelta(days=random.randint(-45, 12))
            until = min(until, day)
            if random.random() < 0.5:
                first = until - timedelta(days=random.randint(1, 40))
            else:
                first, until = until, None
        elif "supply" in self.on and random.random() < 0.4:
            first = day + timedelta(days=random.randint(-70, 20))
            if first.year != day.year:
                first = day
            if random.random() < 0.4:
                until = first + timedelta(days=random.randint(1, 20))
                if until.year != day.year:
                    until = None
        supplied = until or first or day
        kor = is_kor(supplied)
        customer, keys = self.keys(supplied, kor)
        if "icpBig" in self.on and keys[0].category == "intraCommunity":
            keys = [Key("0", "intraCommunity", "goods")] + keys
        small = "kor" in self.on or "corrections" in self.on and random.random() < 0.7
        lines = [
            (self.quantity(), self.price(small), random.choice(keys))
            for _ in range(random.randint(1, 4))
        ]
        if small:
            lines = lines[:2]
        if "icpBig" in self.on:
            lines = [(quantity * 8 if key.supply == "goods" and key.category == "intraCommunity"
                      else quantity, price, key) for quantity, price, key in lines]
        gross = "gross" in self.on and random.random() < 0.4
        draft = "drafts" in self.on and random.random() < 0.1
        return {
            "date": day, "from": first, "until": until, "customer": customer, "lines": lines,
            "gross": gross, "draft": draft,
        }

    def prepayment(self, day):
        """A prepayment invoice."""
        keys = [Key("21", "standard"), Key("9", "standard")][: self.random.randint(1, 2)]
        lines = [(Decimal(1), self.price(), key) for key in keys]
        return {
            "date": day, "from": None, "until": None, "customer": self.dutch(), "lines": lines,
            "gross": False, "draft": False, "prepayment": True,
        }

    def final(self, day, before):
        """A final invoice that sets a prepayment off."""
        lines = []
        for key, base in before.free.items():
            least = Decimal(base).scaleb(-2)
            more = self.price() if self.random.random() < 0.8 else Decimal(0)
            lines.append((Decimal(1), least + more, key))
        return {
            "date": day, "from": None, "until": None, "customer": before.customer, "lines": lines,
            "gross": False, "draft": False, "set_off": [before.id],
        }

    def expense(self, day, period, is_kor):
        """An expense of a day."""
        del is_kor
        random = self.random
        lines = []
        for _ in range(random.randint(1, 3)):
            kinds = ["normal"] * 4 + ["none"]
            if "shifted" in self.on:
                kinds += ["reverseCharge", "eu", "import", "importVatPaid"]
            line = {
                "category": random.choice(COSTS if not period else COSTS[:-1]),
                "treatment": random.choice(kinds), "amount": random.randint(100, 300_000),
            }
            if line["treatment"] == "normal":
                line["rate"] = random.choice(("21", "9", "0"))
                line["includes"] = random.random() < 0.4
            elif line["treatment"] == "importVatPaid":
                line["vat"] = random.randint(1, 50_000)
            elif line["treatment"] != "none":
                line["rate"] = random.choice(("21", "9"))
            lines.append(line)
        share = random.choice((100, 100, 100, 70, 33)) if "shares" in self.on else 100
        op = {
            "date": day, "lines": lines, "share": share,
            "paid_from": random.choice(("bank", "cash", "card", "private", "unpaid", "unpaid")),
        }
        if period:
            begin = day + timedelta(days=random.randint(-120, 60))
            if day.year > 2025:
                begin = date(2025, 12, 1) + timedelta(days=random.randint(-60, 30))
            op["period"] = (begin, begin + timedelta(days=random.randint(10, 400)))
        return op

    def asset(self, day):
        """An asset bought on a day."""
        random = self.random
        cost = random.randint(45_000, 900_000)
        return {
            "date": day, "cost": cost, "residual": random.choice((0, cost // 10)),
            "life": random.choice((5, 5, 6, 8)), "paid_from": random.choice(("bank", "private")),
        }
