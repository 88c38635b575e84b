"""Cents, dates and JSON: amounts are integers, and every division is rounded explicitly."""

from datetime import date, timedelta
from decimal import Decimal
import json


def half(numerator, denominator):
    """Quotient of two integers, half rounded away from zero."""
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    whole, over = divmod(abs(numerator), denominator)
    if 2 * over >= denominator:
        whole += 1
    return whole if numerator >= 0 else -whole


def fraction(number):
    """Numerator and denominator of a decimal number."""
    return Decimal(number).as_integer_ratio()


def times(quantity, price):
    """Quantity times price, in cents."""
    (a, b), (c, d) = fraction(quantity), fraction(price)
    return half(a * c * 100, b * d)


def percent(amount, rate):
    """Percentage of an amount in cents."""
    above, below = fraction(rate)
    return half(amount * above, below * 100)


def vat_within(gross, rate):
    """VAT contained in a gross amount in cents."""
    above, below = fraction(rate)
    return half(gross * above, 100 * below + above)


def euros(cents):
    """Amount in euros of an amount in cents."""
    return Decimal(cents).scaleb(-2)


def to_cents(number):
    """Cents of an amount in euros, which must be exact."""
    cents = Decimal(number).scaleb(2)
    assert cents == cents.to_integral_value(), number
    return int(cents)


def month_end(day):
    """Last day of the month."""
    first = date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return first - timedelta(days=1)


def quarter_of(day):
    """Id of the calendar quarter."""
    return f"{day.year}-Q{(day.month + 2) // 3}"


def month_of(day):
    """Id of the calendar month."""
    return f"{day.year}-{day.month:02}"


def period_of(day, unit):
    """Id of the period of a unit."""
    return {"month": month_of, "quarter": quarter_of, "year": lambda d: str(d.year)}[unit](day)


def months_of(period):
    """Months of a period, as ids."""
    year = period[:4]
    if len(period) == 4:
        return [f"{year}-{month:02}" for month in range(1, 13)]
    if "Q" in period:
        first = 3 * int(period[-1]) - 2
        return [f"{year}-{month:02}" for month in range(first, first + 3)]
    return [period]


def last_day(period):
    """Last day of a period."""
    month = months_of(period)[-1]
    return month_end(date(int(month[:4]), int(month[5:]), 1))


def periods(year, unit):
    """Periods of a year, in order."""
    if unit == "year":
        return [str(year)]
    if unit == "quarter":
        return [f"{year}-Q{number}" for number in range(1, 5)]
    return months_of(str(year))


def dump(value):
    """JSON text in which decimal numbers are exact."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{dump(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(dump, value)) + "]"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date):
        return json.dumps(value.isoformat())
    return json.dumps(value)


def load(text):
    """Value of a JSON text, with decimal numbers."""
    return json.loads(text, parse_float=Decimal)
