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
elif kind == "boc-rates":
    text = raw.decode("utf-8-sig").replace("\r", "")
    lines = [line[1:-1].split('","') for line in text[text.index('"OBSERVATIONS"') :].split("\n")[1:] if line]
    names = {"AVG.INTWO": "risk_free_rate"}
    names.update({f"TB.CDN.{days}.MID": f"gov_bond_{tenor}" for days, tenor in zip("30D 60D 90D 180D 1Y".split(), "1m 2m 3m 6m 1y".split())})
    for cells in lines[1:]:
        for title, cell in zip(lines[0], cells):
            if title in names and cell:
                add(f"CAD/{names[title]}", cells[0], cell)
elif kind == "bank-rate":
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    for line in raw.decode("ascii").split()[1:]:
        if "," not in line or "-" not in line:
            continue
        day, value = line.split(",")
        number, month, year = day.split("-")
        century = "20" if int(year) < 60 else "19"
        add("GBP/policy_rate", f"{century}{year}-{months.index(month) + 1:02d}-{int(number):02d}", value)
elif kind == "fred-other":
    rows = [line.split(",") for line in raw.decode("ascii").split()]
    for date, value in rows[1:]:
        if value in ("", ".") or not date:
            continue
        if rows[0][1] == "DEXUSEU":
            add("EUR/USD", date, value)
            continue
        year, month, _ = map(int, date.split("-"))
        end = month_end(year, month + 2 if rows[0][1].startswith("A191") else month)
        add(f"USD/fred_{rows[0][1].lower()}", end, value)
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
elif kind in ("cftc-legacy", "cftc-financial"):
    rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(raw.decode("ascii")), skipinitialspace=True)]
    rows = [row for row in rows if any(row)]
    currencies = dict(
        pair.split()
        for pair in (
            "232741 AUD,090741 CAD,092741 CHF,099741 EUR,096742 GBP,097741 JPY,095741 MXN,112741 NZD,098662 USD,088691 XAU"
        ).split(",")
    )
    legacy = kind == "cftc-legacy"
    report = "legacy_futures" if legacy else "tff_futures"
    place = {"open_interest": 7}
    if legacy:
        names = "noncommercial_long noncommercial_short noncommercial_spread commercial_long commercial_short"
        names += " total_reportable_long total_reportable_short nonreportable_long nonreportable_short"
        place.update({name: 8 + number for number, name in enumerate(names.split())})
    else:
        traders = "dealer asset_manager leveraged_funds other_reportable".split()
        names = [f"{trader}_{side}" for trader in traders for side in ("long", "short", "spread")]
        place.update({name: 8 + number for number, name in enumerate(names)})
        place.update({"nonreportable_long": 22, "nonreportable_short": 23})
    for row in rows[1:]:
        if row[3] in currencies:
            counts = {name: int(row[at]) for name, at in place.items() if row[at] != "."}
            add(f"{currencies[row[3]]}/{report}", row[2], counts)
elif kind in ("philadelphia", "pink-sheet"):
    import xml.etree.ElementTree as tree
    import zipfile

    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    book = zipfile.ZipFile(path)
    shared = [
        "".join(part.text or "" for part in item.iter(space + "t")).strip()
        for item in tree.parse(book.open("xl/sharedStrings.xml")).getroot()
    ]
    sheet = "xl/worksheets/sheet1.xml" if kind == "philadelphia" else "xl/worksheets/sheet2.xml"

    def sheet_rows():
        for _, row in tree.iterparse(book.open(sheet)):
            if row.tag != space + "row":
                continue
            cells = {}
            for cell in row:
                value = cell.find(space + "v")
                if value is not None:
                    text = value.text if cell.get("t") != "s" else shared[int(value.text)]
                    cells[re.match("[A-Z]+", cell.get("r"))[0]] = text
            yield cells
            row.clear()

    def number(text):
        value = float(text)
        return str(int(value)) if value == int(value) else repr(value)

    if kind == "philadelphia":
        rows = sheet_rows()
        header = next(rows)
        vintages = []
        for column, title in header.items():
            match = re.fullmatch(r"([A-Z]+)(\d\d)([MQ])(\d+)", title)
            if match:
                year = int(match[2]) + (1900 if int(match[2]) > 40 else 2000)
                month = int(match[4]) if match[3] == "M" else 3 * int(match[4]) - 1
                day = datetime.datetime(year, month, 16, 12, tzinfo=datetime.timezone.utc)
                vintages.append((int(day.timestamp()), column))
        last = {}
        sheet_name = re.match(r"[A-Z]+?(?=\d\d[MQ])", header["B"])[0]
        words = {"EMPLOY": "non_farm_payrolls", "ROUTPUT": "gdp"}
        for row in rows:
            if "A" not in row:
                continue
            year, period = row["A"].split(":")
            quarterly = period[0] == "Q"
            end = month_end(int(year), 3 * int(period[1]) if quarterly else int(period))
            now = {column: None if row[column] == "#N/A" else number(row[column]) for _, column in vintages}
            steps = changed((epoch, now[column]) for epoch, column in vintages)
            if steps:
                add("USD/" + words.get(sheet_name, "philadelphia_" + sheet_name.lower()), end, steps[-1][1], steps)
            if last and not quarterly:
                difference = {
                    column: None
                    if now[column] is None or last[column] is None
                    else format(decimal.Decimal(now[column]) - decimal.Decimal(last[column]), "f")
                    for _, column in vintages
                }
                steps = changed((epoch, difference[column]) for epoch, column in vintages)
                if steps:
                    add("USD/non_farm_payrolls_change", end, steps[-1][1], steps)
            last = now
    else:
        columns = {"C": "oil_brent", "E": "oil_wti", "H": "natural_gas", "BR": "gold", "BS": "platinum", "BT": "silver"}
        for row in sheet_rows():
            match = re.fullmatch(r"(\d{4})M(\d\d)", row.get("A", ""))
            for column, name in columns.items():
                if match and re.match(r"\d", row.get(column, "")):
                    add(name, month_end(int(match[1]), int(match[2])), number(row[column]))
elif kind == "bls-prices":
    names = {"CUUR0000SA0": ("inflation", "inflation/level", 12), "CUSR0000SA0": ("inflation_mom", "inflation/sa/level", 1)}
    values = {}
    for line in raw.decode("ascii").splitlines()[1:]:
        series, year, period, value = [part.strip() for part in line.split("\t")][:4]
        if series in names and period[0] == "M" and period != "M13":
            changes, level, lag = names[series]
            month = int(year) * 12 + int(period[1:])
            values[series, month] = value
            end = month_end(int(year), int(period[1:]))
            if (series, month - lag) in values:
                add(f"USD/{changes}", end, percent(value, values[series, month - lag]))
            add(f"USD/{level}", end, value)
elif kind == "eurostat-prices":
    values = {}
    epoch = int(datetime.datetime(2025, 10, 31, 11, tzinfo=zoneinfo.ZoneInfo("Europe/Brussels")).timestamp())
    for row in csv.DictReader(io.StringIO(raw.decode("ascii"))):
        if row["geo"] != "SE" or row["LAST UPDATE"] != "31/10/25 11:00:00":
            continue
        year, month = map(int, row["TIME_PERIOD"].split("-"))
        value = values[year * 12 + month] = row["OBS_VALUE"]
        before = values.get(year * 12 + month - 12)
        end = month_end(year, month)
        if before:
            change = percent(value, before)
            add("SEK/inflation", end, change, [[epoch, change]])
        add("SEK/inflation/level", end, value, [[epoch, value]])
elif kind == "sonia":
    for row in table(raw.decode("ascii"))[1:]:
        date = datetime.datetime.strptime(row[0], "%d %b %y").date().isoformat()
        add("GBP", date, row[1])
        add("GBP/risk_free_rate", date, row[1])
elif kind == "fred-md":
    rows = table(raw.decode("ascii"))
    year, month = map(int, re.search(r"(\d{4})-(\d\d)\.csv", path).groups())
    day = datetime.datetime(year + month // 12, month % 12 + 1, 1, 12, tzinfo=datetime.timezone.utc)
    epoch = int(day.timestamp())
    for title in ("PAYEMS", "UNRATE"):
        at, last = rows[0].index(title), None
        for row in rows[2:]:
            if not row or not row[0].strip():
                continue
            part = row[0].split("/")
            end = month_end(int(part[2]), int(part[0]))
            value = row[at].strip()
            level = "non_farm_payrolls" if title == "PAYEMS" else "unemployment"
            if value:
                add(f"USD/{level}", end, value, [[epoch, value]])
            if value and last and title == "PAYEMS":
                change = format(decimal.Decimal(value) - decimal.Decimal(last), "f")
                add("USD/non_farm_payrolls_change", end, change, [[epoch, change]])
            last = value
json.dump(found, sys.stdout)
