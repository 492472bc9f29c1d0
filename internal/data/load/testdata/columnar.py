"""Writes tables of random types as Parquet and Arrow files, with what they hold.

    python columnar.py DIR CASES    DIR/0000.parquet, .feather, .arrow, .json ...

The JSON has the names of the columns of numbers, the names of the others, the
rows as pyarrow reads them, as hexadecimal floats with null for missing values,
and what each file is like, for messages.
"""
import decimal
import json
import sys

import numpy as np
import pandas
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq


def whole(low, high):
    return lambda rng, p: [int(v) for v in rng.integers(low, high, p, endpoint=True)]


def real(dtype):
    return lambda rng, p: [float(v) for v in (rng.standard_normal(p) * 10.0 ** rng.integers(-3, 4)).astype(dtype)]


def scaled(digits, scale):
    return lambda rng, p: [decimal.Decimal(int(v)).scaleb(-scale) for v in rng.integers(-10**digits + 1, 10**digits, p)]


NUMBERS = [
    (pa.float64(), real("f8")), (pa.float64(), real("f8")), (pa.float32(), real("f4")), (pa.float16(), lambda rng, p: [np.float16(v) for v in rng.standard_normal(p)]),
    (pa.int8(), whole(-2**7, 2**7 - 1)), (pa.int16(), whole(-2**15, 2**15 - 1)), (pa.int32(), whole(-2**31, 2**31 - 1)), (pa.int64(), whole(-2**63, 2**63 - 1)),
    (pa.uint8(), whole(0, 2**8 - 1)), (pa.uint16(), whole(0, 2**16 - 1)), (pa.uint32(), whole(0, 2**32 - 1)), (pa.uint64(), lambda rng, p: [int(v) for v in rng.integers(0, 2**64 - 1, p, dtype="u8", endpoint=True)]),
    (pa.bool_(), lambda rng, p: [bool(v) for v in rng.integers(0, 2, p)]),
    (pa.decimal128(9, 2), scaled(9, 2)), (pa.decimal128(18, 4), scaled(18, 4)), (pa.decimal128(30, 6), scaled(15, 6)), (pa.decimal256(50, 3), scaled(15, 3)),
]
OTHERS = [
    (pa.string(), lambda rng, p: [f"name {v}" for v in rng.integers(0, 5, p)]),
    (pa.timestamp("us"), whole(0, 2**40)), (pa.date32(), whole(0, 20000)), (pa.binary(), lambda rng, p: [bytes(3) for _ in range(p)]),
    (pa.list_(pa.string()), lambda rng, p: [["a"]] * p), (pa.time64("ns"), whole(0, 10**9)),
    (pa.dictionary(pa.int32(), pa.string()), lambda rng, p: [f"kind {v}" for v in rng.integers(0, 3, p)]),
]


def holed(values, rng, share):
    return [None if rng.random() < share else v for v in values]


def number(v):
    return None if v is None else float(v)


def case(seed):
    rng = np.random.default_rng(seed)
    p = int(rng.choice([1, 7, 100, 1500, 5000]))
    share = float(rng.choice([0, 0, .01, .3]))
    fields, arrays, names, others, columns = [], [], [], [], []

    def put(name, kind, values, nullable=True):
        fields.append(pa.field(name, kind, nullable=nullable))
        arrays.append(pa.array(values, kind))

    for j in range(int(rng.integers(1, 9))):
        kind, draw = NUMBERS[rng.integers(len(NUMBERS))]
        name = f"x{j}"
        what = rng.integers(10)
        if what < 6:
            values = draw(rng, p)
            if rng.random() < .2 and kind in (pa.float64(), pa.int32()):  # few values: a dictionary
                values = [values[i % 3] for i in range(p)]
            nullable = bool(rng.integers(2)) or share > 0
            values = holed(values, rng, share) if nullable else values
            put(name, kind, values, nullable)
            names.append(name)
            columns.append([number(v) for v in values])
        elif what < 8:  # lists, all of one length
            m = int(rng.integers(1, 5))
            flat = holed(draw(rng, p * m), rng, share)
            lists = [flat[i * m:(i + 1) * m] for i in range(p)]
            lists = [v if i == 0 or rng.random() >= share / 3 else rng.choice([None, 0]) for i, v in enumerate(lists)]
            lists = [[] if v == 0 and not isinstance(v, list) else v for v in lists]
            fixed = rng.random() < .5
            if fixed:
                lists = [v or None for v in lists]
            list_of = rng.choice(["list", "large"]) if not fixed else "fixed"
            t = {"list": pa.list_(kind), "large": pa.large_list(kind), "fixed": pa.list_(kind, m)}[list_of]
            put(name, t, lists)
            for e in range(m):
                names.append(f"{name}[{e}]")
                columns.append([None if not v else number(v[e]) for v in lists])
        elif what < 9:  # a record with a number and a text
            inner = draw(rng, p)
            rows = [None if rng.random() < share else {"a": v, "b": "t"} for v in inner]
            put(name, pa.struct([("a", kind), ("b", pa.string())]), rows)
            names.append(f"{name}.a")
            others.append(f"{name}.b")
            columns.append([None if r is None else number(r["a"]) for r in rows])
        else:
            kind, draw = OTHERS[rng.integers(len(OTHERS))]
            put(name, kind, holed(draw(rng, p), rng, share))
            others.append(name)
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
    if rng.random() < .2 and p > 1:  # a dictionary of numbers
        values = [float(v) for v in rng.choice([1.5, 2.5, -3.25], p)]
        table = table.append_column("d", pa.array(values).dictionary_encode())
        names.append("d")
        columns.append(values)
    return rng, table, names, others, columns


def write(dir, seed):
    rng, table, names, others, columns = case(seed)
    base = f"{dir}/{seed:04d}"
    how = dict(compression=str(rng.choice(["none", "snappy", "gzip", "zstd", "brotli", "lz4"])), use_dictionary=bool(rng.integers(2)),
               data_page_version=str(rng.choice(["1.0", "2.0"])), row_group_size=int(rng.choice([3, 1000, 10**6])),
               data_page_size=int(rng.choice([64, 10**4, 10**6])), write_page_index=bool(rng.integers(2)), version=str(rng.choice(["1.0", "2.6"])),
               store_schema=bool(rng.integers(2)), write_batch_size=int(rng.choice([10, 1024])))
    if table.num_rows > 1000 and how["row_group_size"] == 3:
        how["row_group_size"] = 700
    try:
        pq.write_table(table, base + ".parquet", **how)
    except pa.lib.ArrowNotImplementedError:  # of version 1.0
        how["version"] = "2.6"
        pq.write_table(table, base + ".parquet", **how)
    chunk = int(rng.choice([2, 500, 10**6]))
    if table.num_rows > 1000:
        chunk = max(chunk, 500)
    kind = str(rng.choice(["uncompressed", "lz4", "zstd"]))
    pyarrow.feather.write_feather(table, base + ".feather", compression=kind, chunksize=chunk)
    with pa.ipc.new_file(base + ".arrow", table.schema) as f:
        f.write_table(table, max_chunksize=chunk)
    rows = [[None if v is None else v.hex() for v in row] for row in zip(*columns)] if columns else []
    with open(base + ".json", "w") as f:
        json.dump({"names": names, "others": others, "rows": rows, "about": f"{how} chunks {chunk} {kind} {table.schema}"}, f)


def main(dir, cases):
    for seed in range(cases):
        write(dir, seed)
    # As pandas writes it: with an index of names, and one of numbers.
    frame = pandas.DataFrame({"a": [1.0, 2.5, 7], "b": [3, 4, 5]}, index=["r", "s", "t"])
    frame.to_parquet(f"{dir}/texts.parquet")
    frame.set_index(pandas.Index([10, 30, 31])).to_parquet(f"{dir}/numbers.parquet")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
