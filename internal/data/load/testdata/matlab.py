"""Writes MATLAB files with SciPy, and what they hold: DIR CASES."""
import json, pathlib, sys
import numpy as np
import scipy.io
import scipy.sparse

folder, cases = pathlib.Path(sys.argv[1]), int(sys.argv[2])
TYPES = [np.float64, np.float32, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, bool]
LEVEL4 = [np.float64, np.float32, np.int32, np.int16, np.uint16, np.uint8]

for seed in range(cases):
    rng = np.random.default_rng(seed)
    p, n = (int(x) for x in rng.integers(1, 70, size=2))
    level4 = seed % 6 == 5
    dtype = (LEVEL4 if level4 else TYPES)[seed // 2 % (len(LEVEL4) if level4 else len(TYPES))]
    if dtype is bool:
        values = rng.random((p, n)) < 0.5
    elif np.issubdtype(dtype, np.integer):
        values = np.frombuffer(rng.bytes(p * n * np.dtype(dtype).itemsize), dtype=dtype).reshape(p, n)
    else:
        values = np.frombuffer(rng.bytes(8 * p * n), dtype="<f8").reshape(p, n).copy()
        values[~(np.abs(values) < 1e38)] = -0.0
        values = values.astype(dtype)
    x = values
    if seed % 3 == 1 and not (level4 and dtype != np.float64):
        x = values.astype(bool if dtype is bool else float)  # what sparse matrices of MATLAB hold
        x = np.where(rng.random((p, n)) < rng.random(), x, 0)
        x = scipy.sparse.csc_matrix(x)
    content = {"X": x}
    if not level4 and rng.integers(2):
        content |= {"etiketten": np.array(["a", "größer"], dtype=object), "s": {"a": 1.0, "b": "text"}, "note": "ä",
                    "z": np.array([[1 + 2j]]), "cube": np.ones((2, 3, 4))}
        if rng.integers(2):
            content = dict(reversed(content.items()))
    path = folder / f"{seed:04d}.mat"
    if level4:
        scipy.io.savemat(path, content, format="4")
    else:
        scipy.io.savemat(path, content, do_compression=bool(seed % 2))
    got = scipy.io.loadmat(path, spmatrix=False)["X"]
    dense = got.toarray() if scipy.sparse.issparse(got) else got
    path.with_suffix(".mat.json").write_text(json.dumps({
        "Names": [str(j) for j in range(dense.shape[1])], "Others": [],
        "Rows": [[float(v).hex() for v in row] for row in dense.astype(float)],
        "About": f"{path.name}, level {4 if level4 else 5}, {dtype.__name__}, sparse {scipy.sparse.issparse(x)}"}))

rng = np.random.default_rng(cases)
scipy.io.savemat(folder / "several.mat", {"X": rng.normal(size=(3, 4)), "truth": np.ones((4, 2)), "note": "ä", "c": np.array([1, "a"], dtype=object)})
