"""Declarations beside the VAT return: ICP, OSS, and the turnover of the small businesses scheme."""

from collections import defaultdict

from money import month_of, months_of, periods, quarter_of

# Kinds of turnover that count for the small businesses scheme (art. 25(1)(2) Wet OB 1968).
COUNTED = {
    "standard", "zero", "reverseCharge", "intraCommunityGoods", "export", "kor", "article11Counted",
}
KOR_LIMIT = 2_000_000
# Goods in a quarter above which ICP declarations are monthly (art. 263 Directive 2006/112/EC).
GOODS_LIMIT = 5_000_000


def kind(key):
    """Kind of turnover of a group, for the small businesses scheme."""
    if key.category == "intraCommunity":
        # A triangular supply takes place where the goods arrive, so it is one placed abroad.
        return "intraCommunityGoods" if key.supply == "goods" else "intraCommunityServices"
    if key.category == "exempt":
        return key.exemption
    return key.category


def kor(supplied, year):
    """Turnover by kind, and the part of it that counts."""
    kinds = defaultdict(int)
    for invoice, key, _, base, _, _ in supplied:
        if invoice.supply_day.year == year:
            kinds[kind(key)] += base
    counted = sum(amount for name, amount in kinds.items() if name in COUNTED)
    return {name: amount for name, amount in kinds.items() if amount}, counted


def icp_periods(supplied, year):
    """Periods of the ICP declarations of a year, with the months of each."""
    goods = defaultdict(int)
    for _, key, on, base, _, _ in supplied:
        if key.category == "intraCommunity" and key.supply != "services":
            goods[month_of(on)] += base
    passed = []
    result = []
    for quarter in periods(year - 1, "quarter") + periods(year, "quarter"):
        months = months_of(quarter)
        sums, first = 0, None
        for index, month in enumerate(months):
            sums += goods[month]
            if sums > GOODS_LIMIT and first is None:
                first = index
        before = any(passed[-4:])
        passed.append(sum(goods[month] for month in months) > GOODS_LIMIT)
        if not quarter.startswith(str(year)):
            continue
        if before or first == 0:
            result += [(month, [month]) for month in months]
        elif first == 1:
            result += [(months[1], months[:2]), (months[2], [months[2]])]
        else:
            result.append((quarter, months))
    return result


def icp(supplied, months):
    """Rows by VAT number in whole euros, rounded down, and supplies in box 3b."""
    sums = defaultdict(lambda: {"goods": 0, "services": 0, "triangular": 0})
    box = without = 0
    for invoice, key, on, base, _, _ in supplied:
        if key.category == "intraCommunity" and month_of(on) in months:
            number = invoice.customer.get("vatNumber")
            box += base
            if number is None:
                without += base
            else:
                sums[number][key.supply] += base
    rows = {}
    for number, amounts in sums.items():
        whole = {name: amount // 100 for name, amount in amounts.items()}
        if any(whole.values()):
            rows[number] = whole
    return rows, box, without


def icp_corrections(sales, declaration):
    """Corrections on a declaration, by quarter and VAT number, in whole euros."""
    sums = defaultdict(lambda: {"goods": 0, "services": 0, "triangular": 0})
    for corrects, quarter, (invoice, key, _, base, _, _) in sales.corrections:
        number = invoice.customer.get("vatNumber")
        if corrects == declaration and number:
            sums[quarter, number][key.supply] += base
    before = defaultdict(lambda: {"goods": 0, "services": 0, "triangular": 0})
    late = [row for _, _, row in sales.corrections]
    for row in sales.supplied:
        invoice, key, on, base, _, _ = row
        number = invoice.customer.get("vatNumber")
        if key.category == "intraCommunity" and number and not any(row is each for each in late):
            before[quarter_of(on), number][key.supply] += base
    rows = {}
    for name, amounts in sums.items():
        change = {}
        for supply, amount in amounts.items():
            filed = before[name][supply]
            change[supply] = (filed + amount) // 100 - filed // 100
        if any(change.values()):
            rows[name] = change
    return rows


def oss(supplied, quarter):
    """Rows and corrections of the OSS return of a quarter (art. 28se Wet OB 1968)."""
    rows = defaultdict(lambda: [0, 0])
    corrections = defaultdict(int)
    for invoice, key, _, base, vat, note in supplied:
        if key.category != "oss":
            continue
        supply = quarter_of(invoice.supply_day)
        declared = max(supply, quarter_of(note)) if note else supply
        if declared != quarter:
            continue
        if declared == supply:
            name = "goods" if key.supply == "goods" else "services"
            row = rows[key.country, name, key.rate]
            row[0] += base
            row[1] += vat
        else:
            corrections[supply, key.country] += vat
    rows = {name: tuple(row) for name, row in rows.items() if any(row)}
    return rows, {name: vat for name, vat in corrections.items() if vat}


def oss_counted(supplied, year):
    """Turnover that counts for the threshold of art. 6k Wet OB 1968."""
    total = 0
    for invoice, key, _, base, _, _ in supplied:
        customer = invoice.customer
        abroad = customer["country"] != "NL" and customer.get("consumer")
        category = key.category in ("standard", "zero", "oss") or key.exemption == "kor"
        if abroad and category and key.supply in ("goods", "electronic"):
            if invoice.supply_day.year == year:
                total += base
    return total
