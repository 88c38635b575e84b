"""Compares the days of random schedules with those of dateutil."""

import argparse
from calendar import monthrange
from datetime import date, timedelta
import random
import subprocess
import sys

from dateutil.relativedelta import relativedelta

UNITS = {"week": {"weeks": 1}, "month": {"months": 1}, "quarter": {"months": 3}, "year": {"years": 1}}
LAST_DAY = date(2099, 12, 31)
# Differences that are printed.
SHOWN = 20


def drawn(draw):
    """A schedule: unit, number of units, last day of the month, first day, occurrences."""
    unit = draw.choice(list(UNITS))
    first = date(2026, 1, 1) + timedelta(days=draw.randrange(366 * 20))
    if draw.random() < 0.4:
        # The last days of a month are those that shorter months lack.
        length = monthrange(first.year, first.month)[1]
        first = first.replace(day=draw.randint(28, length))
    is_last = unit != "week" and draw.random() < 0.3
    return unit, draw.randint(1, 12), is_last, first, draw.randint(1, 60)


def days(schedule):
    """Days of a schedule, by dateutil."""
    unit, count, is_last, first, occurrences = schedule
    step = {name: number * count for name, number in UNITS[unit].items()}
    found = []
    for n in range(occurrences):
        day = first + relativedelta(**{name: number * n for name, number in step.items()})
        if is_last:
            day += relativedelta(day=31)
        if day > LAST_DAY:
            break
        found.append(day.isoformat())
    return found


def main():
    """Draws the schedules, and compares all of their days."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedules", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    schedules = [drawn(draw) for _ in range(options.schedules)]
    lines = "".join(
        f"{unit} {count} {str(is_last).lower()} {first} {occurrences}\n"
        for unit, count, is_last, first, occurrences in schedules
    )
    output = subprocess.run(
        options.program, input=lines, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    answers = [line.split() for line in output]
    pairs = list(zip(schedules, answers, strict=True))
    different = [(schedule, answer) for schedule, answer in pairs if answer != days(schedule)]
    for schedule, answer in different[:SHOWN]:
        print(f"{schedule}: {answer} instead of {days(schedule)}")
    compared = sum(len(answer) for answer in answers)
    print(f"{len(schedules)} schedules, {compared} days, {len(different)} schedules differ")
    return 1 if different or compared < len(schedules) else 0


if __name__ == "__main__":
    sys.exit(main())
