"""Exact numbers: fractions inside, decimals outside, every rounding explicit."""

from decimal import Decimal
from fractions import Fraction
import json

ZERO = Fraction(0)
CENT = Fraction(1, 100)


def exact(text):
    """Fraction of a decimal number."""
    return Fraction(Decimal(text))


def rounded(value, places=2):
    """Decimal with a number of places, half rounded away from zero."""
    scaled = abs(value) * 10**places
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    if 2 * rest >= scaled.denominator:
        whole += 1
    return Decimal(whole if value >= 0 else -whole).scaleb(-places)


def cents(value):
    """Fraction of an amount rounded to cents."""
    return Fraction(rounded(value))


def up_to_cents(value):
    """Amount rounded up to cents."""
    return Decimal(-(-(value * 100).numerator // (value * 100).denominator)).scaleb(-2)


def percent(rate, value):
    """Percentage of a value."""
    return rate * value / 100


def load(text):
    """Value of a JSON text, with decimal numbers."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)
