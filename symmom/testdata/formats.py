"""Tables in each format, written by the library that it is of, and what that library reads.

    python formats.py DIR

For each format DIR/<format>/ has whole.<ext>, shards/part-<k>.<ext>, holes.<ext> (with
missing values); DIR/<format>-whole.f8 and -holes.f8 are the 60 x 4 numbers that were read back from them.
"""
import os
import sqlite3
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import scipy.io
import scipy.sparse
import sklearn.datasets

ROWS, CUTS = 60, [0, 7, 8, 60]
NAMES = ["a", "b", "c", "d"]

rng = np.random.default_rng(1)
table = rng.standard_normal((ROWS, 4)) * 10.0 ** rng.integers(-3, 4, (ROWS, 4))
table[:, 2] = rng.random(ROWS) + .5  # may be weights
table[rng.random((ROWS, 4)) < .1] = 0  # zeros, which sparse formats leave out
table[table[:, 2] == 0, 2] = 1
holes = table.copy()
holes[[3, 3, 20, 59], [0, 1, 3, 3]] = np.nan


def frame(x):
    return pd.DataFrame(x, columns=NAMES)


def csv(**how):
    def write(path, x):
        frame(x).to_csv(path, index=False, **how)

    def read(path):
        return pd.read_csv(path, **how).to_numpy(float)
    return write, read


def write_arrow(path, x):
    t = pa.Table.from_pandas(frame(x))
    with pa.ipc.new_file(path, t.schema) as f:
        f.write_table(t)


def write_sqlite(path, x):
    with sqlite3.connect(path) as db:
        frame(x).to_sql("t", db, index=False)


def read_sqlite(path):
    with sqlite3.connect(path) as db:
        return pd.read_sql("select * from t", db).to_numpy(float)


def write_mat(**how):
    return lambda path, x: scipy.io.savemat(path, {"x": x}, **how)


def read_mat(path):
    return scipy.io.loadmat(path)["x"]


def write_svmlight(path, x):
    sklearn.datasets.dump_svmlight_file(x, np.arange(len(x)) % 3, path, zero_based=False)


def read_svmlight(path):
    return sklearn.datasets.load_svmlight_file(path, n_features=4)[0].toarray()


FORMATS = {
    "csv": ("csv", *csv()),
    "csv.gz": ("csv.gz", *csv()),
    "tsv": ("tsv", *csv(sep="\t")),
    "european": ("csv", *csv(sep=";", decimal=",")),
    "npy": ("npy", np.save, np.load),
    "npz": ("npz", lambda path, x: np.savez(path, x=x), lambda path: np.load(path)["x"]),
    "parquet": ("parquet", lambda path, x: pa.parquet.write_table(pa.Table.from_pandas(frame(x)), path, row_group_size=25),
                lambda path: pd.read_parquet(path).to_numpy(float)),
    "feather": ("feather", lambda path, x: pa.feather.write_feather(frame(x), path), lambda path: pd.read_feather(path).to_numpy(float)),
    "arrow": ("arrow", write_arrow, lambda path: pa.ipc.open_file(path).read_all().to_pandas().to_numpy(float)),
    "mtx": ("mtx", lambda path, x: scipy.io.mmwrite(path, scipy.sparse.coo_array(x)), lambda path: scipy.io.mmread(path).toarray()),
    "svmlight": ("svm", write_svmlight, read_svmlight),
    "scipy.npz": ("npz", lambda path, x: scipy.sparse.save_npz(path, scipy.sparse.csr_matrix(x)), lambda path: scipy.sparse.load_npz(path).toarray()),
    "mat5": ("mat", write_mat(do_compression=True), read_mat),
    "mat4": ("mat", write_mat(format="4"), read_mat),
    "sqlite": ("db", write_sqlite, read_sqlite),
}

for name, (ext, write, read) in FORMATS.items():
    to = os.path.join(sys.argv[1], name)
    os.makedirs(os.path.join(to, "shards"))
    for what, x in ("whole", table), ("holes", holes):
        if what == "holes" and name == "svmlight":
            continue  # scikit-learn does not write missing values
        path = os.path.join(to, f"{what}.{ext}")
        write(path, x)
        back = read(path)
        assert back.shape == x.shape, (name, back.shape)
        back.astype("<f8").tofile(os.path.join(sys.argv[1], f"{name}-{what}.f8"))
    for k, (lo, hi) in enumerate(zip(CUTS, CUTS[1:])):
        write(os.path.join(to, "shards", f"part-{k}.{ext}"), table[lo:hi])
