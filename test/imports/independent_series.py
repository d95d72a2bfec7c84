"""Reads official files of statistics without any code of this project.

Prints {"currency/indicator...": [[date, value, [[unix time, value], ...]], ...]} as JSON; the list of vintages is left out
where the file has none.
"""

import calendar
import csv
import datetime
import decimal
import io
import json
import re
import sys
import zoneinfo

kind, path = sys.argv[1:3]
raw = open(path, "rb").read()
found = {}


def add(name, date, value, vintages=None):
    found.setdefault(name, []).append([date, value] + ([vintages] if vintages else []))


def month_end(year, month):
    return f"{year:04d}-{month:02d}-{calendar.monthrange(year, month)[1]:02d}"


def new_york(date, hour, minute):
    zone = zoneinfo.ZoneInfo("America/New_York")
    return int(datetime.datetime(date.year, date.month, date.day, hour, minute, tzinfo=zone).timestamp())


def percent(now, before):
    ratio = decimal.Decimal(now) / decimal.Decimal(before)
    rounded = ((ratio - 1) * 100).quantize(decimal.Decimal("0.1"), decimal.ROUND_HALF_UP)
    return str(abs(rounded) if rounded == 0 else rounded)


def changed(pairs):
    """Of values in the order of their vintages those that differ from the one before."""
    steps = []
    for epoch, value in pairs:
        if steps and (None if value is None else float(value)) == (None if steps[-1][1] is None else float(steps[-1][1])):
            continue
        if steps or value is not None:
            steps.append([epoch, value])
    return steps


def table(text, delimiter=","):
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


if kind == "treasury":
    rows = table(raw.decode("ascii"))
    for row in rows[1:]:
        month, day, year = row[0].split("/")
        for title, cell in zip(rows[0][1:], row[1:]):
            size, unit = title.split(" ")
            if cell:
                add(f"USD/gov_bond_{size}{unit[0].lower()}", f"{year}-{month}-{day}", cell)
elif kind == "h15":
    rows = table(raw.decode("ascii"))
    for row in rows[6:]:
        for title, cell in zip(rows[5][1:], row[1:]):
            unit, size = re.fullmatch(r"RIFLGFC([MY])(\d\d)_N\.B", title).groups()
            if cell and cell != "ND":
                add(f"USD/gov_bond_{int(size)}{unit.lower()}", row[0], cell)
elif kind == "boc-yields":
    rows = table(raw.decode("utf-8-sig"))
    start = rows.index(["OBSERVATIONS"]) + 1
    for row in rows[start + 1 :]:
        for title, cell in zip(rows[start][1:], row[1:]):
            match = re.fullmatch(r"BD\.CDN\.(\d+)YR\.DQ\.YLD", title)
            name = f"gov_bond_{match[1]}y" if match else "inflation_linked_bond" if ".RRB." in title else None
            if row and cell and name:
                add(f"CAD/{name}", row[0], cell)
elif kind in ("fred", "alfred"):
    rows = table(raw.decode("ascii"))
    series = {
        "PAYEMS": [("non_farm_payrolls", None), ("non_farm_payrolls_change", "change")],
        "PAYEMS_CHG": [("non_farm_payrolls_change", None)],
        "UNRATE": [("unemployment", None)],
        "CPIAUCSL": [("inflation_mom", "mom"), ("inflation/sa/level", None)],
        "GDPC1": [("gdp", None)],
        "DGS10": [("gov_bond_10y", None)],
    }
    if kind == "fred":
        vintages = [(None, 1)]
        name = rows[0][1]
    else:
        days = sorted((title.rsplit("_", 1)[1], place) for place, title in enumerate(rows[0]) if place)
        name = rows[0][1].rsplit("_", 1)[0]
        vintages = []
        for day, place in days:
            date = datetime.datetime.strptime(day, "%Y%m%d").date()
            one = datetime.datetime(date.year, date.month, date.day, tzinfo=datetime.timezone.utc)
            late = int((one + datetime.timedelta(hours=36)).timestamp())
            vintages.append((late if len(days) == 1 else new_york(date, 8, 30), place))
    cells = {row[0]: row for row in rows[1:]}

    def value(date, place):
        cell = cells[date][place] if date in cells else ""
        return None if cell in ("", ".") else cell

    for date in cells:
        year, month, day = map(int, date.split("-"))
        before = f"{year - (month == 1):04d}-{(month - 2) % 12 + 1:02d}-01"
        end = date if name == "DGS10" else month_end(year, month + 2 if name == "GDPC1" else month)
        for indicator, transform in series[name]:

            def shown(place):
                now, last = value(date, place), value(before, place)
                if transform is None or now is None:
                    return now
                if last is None:
                    return None
                difference = str(decimal.Decimal(now) - decimal.Decimal(last))
                return difference if transform == "change" else percent(now, last)

            steps = changed((epoch, shown(place)) for epoch, place in vintages)
            if steps:
                add(f"USD/{indicator}", end, steps[-1][1], None if kind == "fred" else steps)
json.dump(found, sys.stdout)
