"""Other calculators with rules: expected answers by the law."""

from datetime import date, timedelta
from fractions import Fraction

from exact import ZERO, cents, percent, rounded
from income_tax import investment_deduction

# A reminder on the first day after the due date gives fourteen days from the day after its receipt
# (art. 6:96(6) BW), so a payment on the next day is the first that comes too late.
CONSUMER_DAYS = 16
# Standard and reduced VAT rates by their first day (art. 9 Wet OB 1968).
VAT_RATES = (
    [(date(1992, 10, 1), "17.5"), (date(2001, 1, 1), "19"), (date(2012, 10, 1), "21")],
    [(date(1992, 10, 1), "6"), (date(2019, 1, 1), "9")],
)


def vat_rates(on):
    """VAT rates of a day."""
    return {"0"} | {[rate for first, rate in rates if first <= on][-1] for rates in VAT_RATES}


def vat(amount, rate, included):
    """VAT on an amount, or included in it."""
    if included:
        tax = cents(amount * rate / (100 + rate))
        parts = amount - tax, tax, amount
    else:
        tax = cents(percent(rate, amount))
        parts = amount, tax, amount + tax
    return dict(zip(("excluding", "vat", "including"), map(rounded, parts)))


def kor(figures, year, turnover, charged, deducted):
    """Small businesses scheme (art. 25(1) Wet OB 1968): turnover of at most the threshold."""
    threshold = figures.threshold("korTurnover", year)
    applies = turnover <= threshold
    parts = (charged, deducted, charged - deducted) if applies else (ZERO, ZERO, ZERO)
    names = ("vatNotCharged", "inputVatLost", "advantage")
    return {"eligible": applies, "threshold": rounded(threshold),
            **dict(zip(names, map(rounded, parts)))}


def deduction(figures, year, investments):
    """Small-scale investment deduction."""
    return {"deduction": rounded(investment_deduction(figures.investments[year], investments))}


def mileage(figures, year, km):
    """Deduction for business kilometres (art. 3.17(1)(b))."""
    return {"amount": rounded(figures.mileage[year] * km)}


def electric(rule, value):
    """Addition for a year of an electric car: the lower percentage up to a limit."""
    low, limit, high = rule
    return percent(low, min(value, limit)) + percent(high, max(ZERO, value - limit))


def car(figures, year, value, zero_emission, admitted):
    """Private use of a business car during a year (art. 3.20)."""
    if not zero_emission:
        return {"benefit": rounded(percent(figures.standard_car[year], value))}
    today = electric(figures.electric_car[year], value)
    if admitted is None or admitted.year == year:
        return {"benefit": rounded(today)}
    # Sixty months from the first day of the month after the admission (11).
    ends = 12 * admitted.year + admitted.month + 60  # the first month after them, from zero
    kept = max(0, min(12, ends - 12 * year))
    before = electric(figures.electric_car[admitted.year], value)
    return {"benefit": rounded((before * kept + today * (12 - kept)) / 12)}


def same_day(day, year):
    """That day in another year; 29 February becomes 1 March."""
    try:
        return day.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


def collection_costs(figures, amount):
    """Costs of collection (Besluit vergoeding voor buitengerechtelijke incassokosten, art. 2)."""
    total, start = ZERO, ZERO
    for end, rate in figures.collection:
        top = amount if end is None else min(amount, end)
        total += percent(rate, max(ZERO, top - start))
        start = end
    return min(max(total, figures.collection_least), figures.collection_most)


def late_payment(figures, amount, due, paid, debtor):
    """Interest (art. 6:119, 6:119a and 6:120 BW) and costs of collection."""
    rates = figures.interest["commercial" if debtor == "business" else "consumer"]
    first, principal, periods = due + timedelta(days=1), amount, []
    begin, years = first, 0
    while begin <= paid:
        # After each year the interest of that year joins the principal.
        years += 1
        end_of_year = same_day(first, first.year + years) - timedelta(days=1)
        accrued = ZERO
        while begin <= min(paid, end_of_year):
            rate, until = next((rate, to) for start, to, rate in rates
                               if start <= begin and (to is None or begin <= to))
            last = min(paid, end_of_year, until or paid)
            # Consecutive half-years may have the same rate.
            while last < min(paid, end_of_year):
                following = next(((value, to) for start, to, value in rates
                                  if start == last + timedelta(days=1)), None)
                if following is None or following[0] != rate:
                    break
                last = min(paid, end_of_year, following[1] or paid)
            days = (last - begin).days + 1
            interest = percent(rate, principal) * days / 365
            periods.append({
                "from": begin.isoformat(), "to": last.isoformat(), "days": days,
                "rate": rate, "interest": rounded(interest),
            })
            accrued += interest
            begin = last + timedelta(days=1)
        principal += accrued
    interest = principal - amount
    days = max(0, (paid - due).days)
    owed = days > 0 if debtor == "business" else days >= CONSUMER_DAYS
    costs = collection_costs(figures, amount) if owed and amount else ZERO
    return {
        "days": days, "periods": periods, "interest": rounded(interest),
        "collectionCosts": rounded(costs), "total": rounded(amount + interest + costs),
    }


def depreciation(cost, residual, years, start):
    """Straight-line depreciation by month; what is booked up to a day is rounded."""
    months, whole = 12 * years, cost - residual
    rows, done, booked = [], 0, ZERO
    year = start.year
    while done < months:
        done = min(months, done + (13 - start.month if year == start.year else 12))
        until = cents(whole * done / months)
        rows.append({"year": year, "amount": rounded(until - booked),
                     "bookValue": rounded(cost - until)})
        booked, year = until, year + 1
    return {"perYear": rows}


def hours(figures, on, worked):
    """Hours criterion (art. 3.6(1)): hours still needed in the calendar year."""
    needed = figures.threshold("hoursCriterion", on.year)
    left = max(ZERO, needed - worked)
    weeks = Fraction((date(on.year, 12, 31) - on).days, 7)
    per_week = rounded(left / weeks) if weeks else None
    return {
        "required": rounded(needed), "remaining": rounded(left), "weeksLeft": rounded(weeks),
        "hoursPerWeek": per_week if left else rounded(ZERO), "met": worked >= needed,
    }


def month_end(year, month):
    """Last day of a month; months above twelve are of the next year."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def weekday_before(day):
    """That day, or the last weekday before it (art. 19(5) AWR)."""
    return day - timedelta(days=max(0, day.weekday() - 4))


def periods(year, unit):
    """Periods of a year, with the last day of the return (art. 10(2), 19(3) AWR)."""
    if unit == "year":
        return [(str(year), date(year + 1, 3, 31))]
    if unit == "quarter":
        return [(f"{year}-Q{each}", month_end(year, 3 * each + 1)) for each in range(1, 5)]
    return [(f"{year}-{each:02}", month_end(year, each + 1)) for each in range(1, 13)]


def deadlines(on, unit):
    """Next last day of each kind of return.

    The EC sales list (art. 37a Wet OB 1968) is monthly with monthly VAT returns, else quarterly.
    """

    def following(unit):
        every = [row for year in range(on.year - 2, on.year + 2) for row in periods(year, unit)]
        return min((last, period) for period, last in every if last >= on)

    last, period = following(unit)
    pay = weekday_before(last).isoformat()
    rows = {"vatReturn": (period, last, pay)}
    last, period = following("month" if unit == "month" else "quarter")
    rows["icp"] = (period, last, None)
    year = on.year if on <= date(on.year, 5, 1) else on.year + 1
    rows["incomeTaxReturn"] = (str(year - 1), date(year, 5, 1), None)
    return {
        kind: {"period": period, "fileBy": last.isoformat(), "payBy": pay,
               "daysLeft": (last - on).days}
        for kind, (period, last, pay) in rows.items()
    }
