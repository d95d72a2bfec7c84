"""Reads official files of exchange rates without any code of this project: prints {pair: [[date, rate], ...]} as JSON."""

import csv
import datetime
import decimal
import io
import json
import re
import sys

kind, path = sys.argv[1:3]
raw = open(path, "rb").read()
found = {}


def add(base, quote, date, rate):
    found.setdefault(f"{base}/{quote}", []).append([date, rate])


if kind == "bank-of-canada":
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))
    start = rows.index(["OBSERVATIONS"]) + 1
    for row in rows[start + 1 :]:
        for name, cell in zip(rows[start][1:], row[1:]):
            if cell:
                add(name[2:5], name[5:8], row[0], cell)
elif kind == "nbp":
    rows = list(csv.reader(io.StringIO(raw.decode("cp1250")), delimiter=";"))
    for row in rows[2:]:
        if not row or not re.fullmatch(r"\d{8}", row[0]):
            continue
        date = f"{row[0][:4]}-{row[0][4:6]}-{row[0][6:]}"
        for name, cell in zip(rows[0], row):
            match = re.fullmatch(r"(\d+)([A-Z]{3})", name)
            if match and match[2] != "XDR" and cell:
                rate = decimal.Decimal(cell.replace(",", ".")).scaleb(1 - len(match[1]))
                add(match[2], "PLN", date, f"{rate:f}")
elif kind == "rba":
    rows = list(csv.reader(io.StringIO(raw.decode("ascii"))))
    titles = next(row for row in rows if row and row[0] == "Title")
    start = next(n for n, row in enumerate(rows) if row and row[0] == "Series ID")
    for row in rows[start + 1 :]:
        if not row or not row[0]:
            continue
        date = datetime.datetime.strptime(row[0], "%d-%b-%Y").date().isoformat()
        for title, cell in zip(titles, row):
            if title.startswith("A$1=") and title != "A$1=SDR" and cell:
                add("AUD", title[4:], date, cell)
elif kind == "bundesbank":
    text = raw.decode("utf-8-sig")
    separator = ";" if text.startswith('"";') else ","
    rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    for row in rows:
        if row and re.fullmatch(r"\d{4}-\d{2}-\d{2}", row[0]) and row[1] != ".":
            add("EUR", rows[0][1].split(".")[2], row[0], row[1].replace(",", "."))
elif kind == "ecb":
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))
    for row in rows[1:]:
        for name, cell in zip(rows[0][1:], row[1:]):
            if name.strip() and re.search(r"\d", cell):
                add("EUR", name.strip(), row[0], cell.strip())
elif kind == "h10":
    rows = list(csv.reader(io.StringIO(raw.decode("ascii"))))
    for row in rows[6:]:
        for place, name in enumerate(rows[5]):
            if name.startswith("RXI") and row[place] not in ("", "ND"):
                pair = ("USD", rows[3][place]) if name.startswith("RXI_") else (rows[1][place][-3:], "USD")
                add(*pair, row[0], row[place])
elif kind == "ecb-zip":
    import zipfile

    book = zipfile.ZipFile(path)
    lines = book.read(book.namelist()[0]).decode("ascii").replace("\r", "").split("\n")
    names = lines[0].split(",")
    for line in lines[1:]:
        for name, cell in list(zip(names, line.split(",")))[1:]:
            if name.strip() and cell.strip() not in ("", "N/A"):
                add("EUR", name.strip(), line.split(",")[0], cell.strip())
json.dump(found, sys.stdout)
