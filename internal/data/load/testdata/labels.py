"""Writes tables with labels beside the numbers, in every format that has them.

    python labels.py DIR ROWS

Column "row" counts the rows; the label of row i is ("g%d" % (i * i % 7)), or none
where i % 11 == 0. "gap" is missing where i % 13 == 5. Columns "whole", "real" and
"flag" hold i * i % 7 as other types.
"""
import sys

import numpy as np
import pandas as pd
import scipy.sparse
import sklearn.datasets


def main(directory, rows):
    i = np.arange(rows)
    group = i * i % 7
    none = i % 11 == 0
    text = np.where(none, None, np.char.add("g", group.astype(str)))
    t = pd.DataFrame({
        "row": i.astype(float),
        "kind": text,
        "gap": np.where(i % 13 == 5, np.nan, i * 0.5 + 0.25),
        "whole": pd.array(np.where(none, 0, group), dtype="Int64"),
        "real": np.where(none, np.nan, group / 2),
        "flag": group > 2,
        "dict": pd.Categorical(text),
    })
    t.loc[none, "whole"] = pd.NA
    t.to_csv(f"{directory}/plain.csv", index=False)
    t.to_csv(f"{directory}/plain.csv.gz", index=False)
    t.to_csv(f"{directory}/tabs.tsv", sep="\t", index=False)
    t.to_csv(f"{directory}/decimal.csv", sep=";", decimal=",", index=False)
    quoted = t.copy()
    quoted["kind"] = [f'"{v}"' if v is not None and k > rows // 2 else v for k, v in enumerate(quoted["kind"])]
    with open(f"{directory}/quoted.csv", "w") as f:  # only from the middle on
        f.write(",".join(t.columns) + "\n")
        for k, r in enumerate(t.itertuples(index=False)):
            one = ["" if v is None or v is pd.NA or v != v else str(v) for v in r]
            if k > rows // 2:
                one[1] = f'"{one[1]}"'
            f.write(",".join(one) + "\n")
    t.to_parquet(f"{directory}/t.parquet", row_group_size=max(1, rows // 5))
    t.to_parquet(f"{directory}/v2.parquet", data_page_version="2.0", compression="gzip", use_dictionary=False)
    t.to_feather(f"{directory}/t.feather")
    x = np.column_stack([t["row"], t["gap"], group])
    np.save(f"{directory}/x.npy", x)
    np.save(f"{directory}/narrow.npy", x.astype("f4"))
    np.save(f"{directory}/fortran.npy", np.asfortranarray(x))
    np.savez(f"{directory}/texts.npz", X=x, kind=np.where(none, "", np.char.add("g", group.astype(str))))
    np.savez_compressed(f"{directory}/bytes.npz", X=x, kind=np.where(none, "", np.char.add("g", group.astype(str))).astype("S"))
    np.savez(f"{directory}/swapped.npz", X=x, kind=np.where(none, "", np.char.add("g", group.astype(str))).astype(">U3"))
    np.savez(f"{directory}/numbers.npz", X=x, whole=group.astype("i8"))
    np.savez(f"{directory}/short.npz", X=x, kind=np.array(["a", "b"]))
    s = scipy.sparse.csr_matrix(np.column_stack([t["row"], np.ones(rows)]))
    sklearn.datasets.dump_svmlight_file(s, group, f"{directory}/t.svmlight", zero_based=False)


main(sys.argv[1], int(sys.argv[2]))
