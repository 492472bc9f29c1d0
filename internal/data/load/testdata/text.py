"""Writes tables of text with pandas, and what they hold: DIR CASES."""
import csv, json, pathlib, sys
import numpy as np
import pandas as pd

folder, cases = pathlib.Path(sys.argv[1]), int(sys.argv[2])
words = ["ada", "bob", "Zoë", "a, b", "1.2.3", "x y", "-", "n=3"]


def number(rng, kind, rows):
    if kind == 0:
        return rng.normal(size=rows) * 10.0 ** rng.integers(-3, 9)
    if kind == 1:
        return rng.integers(-5000000, 5000000, size=rows).astype(float)
    if kind == 2:
        return np.round(rng.normal(size=rows) * 3000, 2)
    return np.frombuffer(rng.bytes(8 * rows), dtype="<f8").copy()


for seed in range(cases):
    rng = np.random.default_rng(seed)
    rows, decimal = int(rng.integers(3, 400)), ".,"[rng.integers(2)]
    separator = ";\t|,"[rng.integers(4)]
    table, names, others, columns = {}, [], [], []
    for j in range(2 + int(rng.integers(6))):
        v = number(rng, rng.integers(4), rows)
        v[~(np.abs(v) < 1e38)] = 1.5
        if j == 0:
            v[0] = 0.5  # says which sign is the decimal one
        if j and rng.integers(3) == 0:
            v[rng.random(rows) < 0.1] = np.nan
        if rng.integers(4) == 0:
            name = f"when{j}" if rng.integers(2) else f"who{j}"
            others.append(name)
            if name[:2] == "wh" and name[2] == "e":
                table[name] = pd.date_range("2020-01-02", periods=rows, freq="h")
            else:
                table[name] = [words[k] for k in rng.integers(len(words), size=rows)]
        names.append(f"x{j} ä")
        table[names[-1]] = v
        columns.append(v)
    grouped = rng.integers(4) == 0 and separator != ","
    frame = pd.DataFrame(table)
    values = [[None if np.isnan(c[i]) else float(c[i]).hex() for c in columns] for i in range(rows)]
    if grouped:  # all as with locale: two digits behind the sign, separated thousands
        for k, name in enumerate(names):
            text = [("" if np.isnan(x) else f"{x:,.2f}") for x in columns[k]]
            for i, x in enumerate(text):
                values[i][k] = None if x == "" else float(x.replace(",", "")).hex()
            if decimal == ",":
                text = [x.translate(str.maketrans(",.", ".,")) for x in text]
            frame[name] = text
    quoting = [csv.QUOTE_MINIMAL, csv.QUOTE_ALL][rng.integers(2)]
    base = folder / f"{seed:04d}"
    frame.to_csv(base.with_suffix(".csv"), index=False, sep=separator, decimal=decimal, quoting=quoting,
                 lineterminator=["\n", "\r\n"][rng.integers(2)], encoding=["utf-8", "utf-8-sig"][rng.integers(2)])
    base.with_suffix(".json").write_text(json.dumps({
        "Names": names, "Others": others, "Rows": values,
        "About": f"separator {separator!r}, decimal {decimal!r}, grouped {bool(grouped)}"}))
