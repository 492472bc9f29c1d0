"""Writes NPY, NPZ and CSV files with NumPy, and what they hold, for the tests.

    python arrays.py DIR      every dtype, byte order, layout and version
    python arrays.py ZIP      the same, in one archive (testdata/arrays.zip)
    python arrays.py --check FILE.npy    prints what NumPy reads, as JSON
"""
import gzip
import io
import json
import os
import sys
import zipfile

import numpy as np

BASE = [[0, 1, 2, 3], [5, 8, 13, 21], [34, 55, 89, 100]]


def save(array, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def cases():
    """Yields name, bytes, what to expect (rows, or the words of the error)."""
    kinds = ["b1", "i1", "u1"] + [o + k for o in "<>" for k in
                                  "i2 u2 f2 i4 u4 f4 i8 u8 f8".split()]
    for kind in kinds:
        base = np.array(BASE, dtype=float)
        if kind[-2] in "if":
            base[1] *= -1
        if kind[-2] == "f":
            base /= 8
        for order in "CF":
            a = np.array(base.astype(kind), order=order)
            name = kind.replace("<", "le-").replace(">", "be-")
            yield f"{name}-{order}.npy", save(a), a.astype(float)
    a = np.array(BASE) / 3
    for version in (1, 2, 3):
        for order in "CF":
            yield f"version{version}-{order}.npy", save(np.array(a, order=order), (version, 0)), a
    yield "vector.npy", save(a[0]), a[0].reshape(-1, 1)
    yield "row.npy", save(a[:1]), a[:1]
    yield "row-F.npy", save(np.asfortranarray(a[:1])), a[:1]
    yield "column-F.npy", save(np.asfortranarray(a[:, :1])), a[:, :1]
    yield "one.npy", save(a[:1, :1]), a[:1, :1]
    extreme = np.array([[5e-324, 1.7976931348623157e308], [-0.0, 2.2250738585072014e-308]])
    yield "extreme.npy", save(extreme), extreme
    half = np.array([[6e-8, 65504], [-0.0, 6.104e-05]], dtype="f2")
    yield "half.npy", save(half), half.astype(float)
    big = np.array([[2**63 - 1, -2**63], [2**53 + 1, -1]], dtype="i8")
    yield "int64.npy", save(big), big.astype(float)
    big = np.array([[2**64 - 1, 2**63], [2**53 + 1, 1]], dtype="u8")
    yield "uint64.npy", save(big), big.astype(float)

    for name, write in (("stored", np.savez), ("deflated", np.savez_compressed)):
        out = io.BytesIO()
        write(out, table=a)
        yield name + ".npz", out.getvalue(), a
        out = io.BytesIO()
        write(out, np.asfortranarray(a), np.array(["text"]), fine=a)
        yield name + "-three.npz", out.getvalue(), "choose one"
    yield "npy.npy.gz", gzip.compress(save(a), mtime=0), a
    yield "fortran.npy.gz", gzip.compress(save(np.asfortranarray(a)), mtime=0), a

    for delimiter, name in ((",", "comma.csv"), ("\t", "tab.tsv"), (";", "semicolon.csv"),
                            (" ", "space.txt"), ("|", "bar.csv")):
        out = io.StringIO()
        np.savetxt(out, a, delimiter=delimiter, header=delimiter.join("abcd"))
        yield name, out.getvalue().encode(), a
        yield name + ".gz", gzip.compress(out.getvalue().encode(), mtime=0), a

    yield "object.npy", save(np.array([[1, None]], dtype=object)), "Python objects"
    yield "structured.npy", save(np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])), "structured_to_unstructured"
    yield "nested.npy", save(np.zeros(2, dtype=[("a", "f8", (2,)), ("b", [("c]", "i4")])])), "structured_to_unstructured"
    yield "unicode-names.npy", save(np.zeros(2, dtype=[("\u03bd", "f8")])), "structured_to_unstructured"
    yield "strings.npy", save(np.array([["a", "b"]])), "strings"
    yield "bytes.npy", save(np.array([[b"a", b"b"]])), "strings"
    yield "complex.npy", save(np.array([[1j, 2]])), "complex"
    yield "long.npy", save(np.array([[1, 2]], dtype="g")), "wider than 64 bits"
    yield "dates.npy", save(np.array(["2020-01-01"], dtype="M8[D]")), "dates"
    yield "void.npy", save(np.zeros(2, dtype="V3")), "raw bytes"
    yield "scalar.npy", save(np.array(1.0)), "single number"
    yield "cube.npy", save(np.zeros((2, 3, 4))), "reshape"
    yield "no-columns.npy", save(np.zeros((2, 0))), "no columns"
    yield "no-rows.npy", save(np.zeros((0, 3))), "no observations"
    yield "nothing.npy", save(np.zeros(0)), "no observations"


def manifest(names):
    return json.dumps(names, indent=1, sort_keys=True).encode()


def main():
    if sys.argv[1] == "--check":
        a = np.load(sys.argv[2], allow_pickle=False)
        print(json.dumps({"dtype": a.dtype.str, "fortran": bool(np.isfortran(a)), "shape": a.shape,
                          "hex": [float(v).hex() for v in a.ravel()]}))
        return
    files, expected = {}, {}
    for name, data, want in cases():
        files[name] = data
        expected[name] = {"error": want} if isinstance(want, str) else {
            "rows": [[float(v).hex() for v in row] for row in want]}
    files["manifest.json"] = manifest(expected)
    if sys.argv[1].endswith(".zip"):
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
            for name, data in files.items():
                z.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        return
    for name, data in files.items():
        with open(os.path.join(sys.argv[1], name), "wb") as f:
            f.write(data)


main()
