# fixed.py DIR N: tables in columns of fixed positions, and what pandas.read_fwf reads in them.
import json, os, random, sys
import pandas

folder, count = sys.argv[1], int(sys.argv[2])
for k in range(count):
    rng = random.Random(k)
    given, header = k % 2 == 1, rng.random() < .5
    rows, columns = rng.randint(3, 90), rng.randint(2, 7)
    at, places, kinds = rng.choice([0, 0, 3]), [], []
    for j in range(columns):
        width = rng.randint(3, 12)
        places.append((at, at + width))
        kinds.append("text" if j == columns - 1 and rng.random() < .5 else "number")
        at += width + (rng.choice([0, 0, 1]) if given else rng.randint(1, 3))
    text = []
    if header:
        line = ""
        for j, (a, b) in enumerate(places):
            line = line.ljust(a) + ("v%d" % j).rjust(b - a)
        text.append(line)
    for i in range(rows):
        line = ""
        for (a, b), kind in zip(places, kinds):
            width = b - a
            if kind == "text":
                field = rng.choice(["Ann", "Zoë", 'o"k', "Łódź"])[:width].ljust(width)
            elif i > 0 and rng.random() < .05:
                field = rng.choice(["", "NA"])
            else:
                digits = rng.randint(1, width - 1)
                field = str(rng.randint(-10 ** (digits - 1), 10 ** digits))[:width]
                if width > 4 and rng.random() < .7:
                    field = ("%.*f" % (rng.randint(1, 2), float(field) / 100))[:width]
            # the first row fills its columns, so that inferred ones are whole
            if i == 0 and kind == "number":
                field = ("1" * (width - 2) + ".5") if rng.random() < .5 else "7" * width
            line = line.ljust(a) + (field.ljust(width) if kind == "text" else field.rjust(width))
        text.append(line.rstrip() if rng.random() < .5 else line)
        if rng.random() < .02:
            text.append("")
    name = os.path.join(folder, "%d.fwf" % k)
    with open(name, "w", encoding="utf-8", newline="") as f:
        f.write(rng.choice(["\n", "\r\n"]).join(text) + rng.choice(["", "\n"]))
    table = pandas.read_fwf(name, colspecs=places if given else "infer", header=0 if header else None, dtype=str)
    numbers = [j for j, kind in enumerate(kinds) if kind == "number"]
    values = [[None if pandas.isna(v) else repr(float(v)) for v in row] for row in table.iloc[:, numbers].values.tolist()]
    with open(name[:-4] + ".json", "w") as f:
        json.dump({"Fixed": ",".join("%d-%d" % (a + 1, b) for a, b in places) if given else "", "Header": header,
                   "Columns": [str(j + 1) for j in numbers], "Width": table.shape[1], "Rows": [row for row in values if None not in row]}, f)
