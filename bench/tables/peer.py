"""Reads the files of `go run ./bench/tables -files DIR` with pandas, with the options that its
documentation gives for each dialect, and compares with what was written.

    python bench/tables/peer.py DIR
"""

import collections
import json
import pathlib
import sys

import numpy as np
import pandas as pd


def read(path, options):
    """A table by the options of its dialect."""
    return pd.read_csv(path, **options, encoding="utf-8-sig", float_precision="round_trip")


def main():
    folder = pathlib.Path(sys.argv[1])
    verdicts = collections.Counter()
    for entry in json.loads((folder / "truth.json").read_text()):
        program, options = entry["Program"], entry["Pandas"]
        if options is None:
            verdicts[program, "no options"] += 1
            continue
        want = np.array(entry["Values"], dtype=object)
        want = np.vectorize(lambda cell: np.nan if cell is None else float(cell), otypes=[float])(want)
        try:
            frame = read(folder / entry["File"], options)
            got = frame.iloc[:, entry["Columns"]].to_numpy(dtype=float)
            # Rows with gaps are dropped: pandas takes one without any value for a blank line.
            got, want = (rows[~np.isnan(rows).any(axis=1)] for rows in (got, want))
            # With thousands it has another parser, whose last bit may be another.
            same = got.shape == want.shape and np.allclose(got, want, rtol=4e-16, atol=0)
            verdict = "equal" if same else "other"
        except Exception as error:  # reported as it is
            verdict, same = "error", str(error)
        if verdict != "equal" and "-v" in sys.argv:
            print(entry["Seed"], program, entry["Truth"]["Header"], verdict, same if verdict == "error" else "")
        verdicts[program, verdict] += 1
    kinds = ["equal", "other", "error", "no options"]
    print("| program |", " | ".join(kinds), "|")
    for program in sorted({program for program, _ in verdicts}):
        print("|", program, "|", " | ".join(str(verdicts[program, kind]) for kind in kinds), "|")
    print("| all |", " | ".join(str(sum(n for (_, k), n in verdicts.items() if k == kind)) for kind in kinds), "|")


main()
