"""Writes sparse matrices with SciPy and scikit-learn, and what they hold: DIR CASES."""
import json, pathlib, sys
import numpy as np
import scipy.io
import scipy.sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

folder, cases = pathlib.Path(sys.argv[1]), int(sys.argv[2])


def wrote(path, dense):
    path.with_suffix(path.suffix + ".json").write_text(json.dumps({
        "Names": [str(j) for j in range(dense.shape[1])], "Others": [],
        "Rows": [[float(x).hex() for x in row] for row in np.asarray(dense, dtype=float)],
        "About": f"{path.name}, {dense.dtype}"}))


for seed in range(cases):
    rng = np.random.default_rng(seed)
    p, n = (int(x) for x in rng.integers(1, 60, size=2))
    sparse = seed % 4 == 0  # wide and with few values
    if sparse:
        n += 256
    dtype = [np.float64, np.float32, np.int64, np.int8][rng.integers(4)]
    if np.issubdtype(dtype, np.integer):
        values = rng.integers(-100, 100, size=(p, n)).astype(dtype)
    else:
        values = np.frombuffer(rng.bytes(8 * p * n), dtype="<f8").reshape(p, n).copy()
        values[~(np.abs(values) < 1e38)] = -0.0
        values = values.astype(dtype)
    values[rng.random((p, n)) < (.95 if sparse else rng.random())] = 0
    kind = ["csr", "csc", "coo"][seed % 3]
    x = scipy.sparse.csr_matrix(values).asformat(kind)
    base = folder / f"{seed:04d}"
    path = base.with_suffix(".npz")
    scipy.sparse.save_npz(path, x, compressed=bool(rng.integers(2)))
    wrote(path, scipy.sparse.load_npz(path).toarray())

    path = base.with_suffix(".mtx")
    if rng.integers(4) == 0:  # an array
        scipy.io.mmwrite(path, values)
        wrote(path, scipy.io.mmread(path))
    else:
        what, symmetry = x, None
        if rng.integers(3) == 0:
            square = np.tril(values[: min(p, n), : min(p, n)].astype(float))
            if rng.integers(2):
                what, symmetry = scipy.sparse.coo_matrix(square + np.tril(square, -1).T), "symmetric"
            else:
                what, symmetry = scipy.sparse.coo_matrix(np.tril(square, -1) - np.tril(square, -1).T), "skew-symmetric"
        field = "pattern" if rng.integers(6) == 0 and symmetry is None else None
        scipy.io.mmwrite(path, what, comment="by\nhand", symmetry=symmetry, field=field)
        wrote(path, scipy.io.mmread(path).toarray())

    path = base.with_suffix(".svmlight")
    values = values.astype(float)
    values[:, -1] = 1  # the last column is known by its entries alone
    zero = bool(rng.integers(2))
    if zero:
        values[0, 0] = 2  # says that indices count from 0
    dump_svmlight_file(values, rng.normal(size=p), str(path), zero_based=zero, comment="ä" if rng.integers(2) else None,
                       query_id=np.arange(p) if rng.integers(2) else None)
    wrote(path, load_svmlight_file(str(path))[0].toarray())
