"""Reads models with the loaders of docs/howto/exchange.md and writes them with other programs.

models.py DOC FOLDER: of each FOLDER/NAME.{mat,ktns,npz,json} prints what pyttb, TensorLy,
SciPy and scikit-learn make of it, and writes NAME-PROGRAM.{mat,ktns,npz}."""
import json, pathlib, re, sys
import numpy as np
import pyttb
import scipy.io

doc, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
loaders = {}
for section in doc.split("\n## ")[1:]:
    title = section.splitlines()[0]
    code = "".join(re.findall(r"^```python\n(.*?)^```", section, re.S | re.M))
    if not code:
        continue
    assert len(code.splitlines()) <= 10, title
    scope = {}
    exec(code, scope)
    loaders[title] = scope.get("load") or scope["save"]


def hexes(a):
    return [format(bits, "x") for bits in np.asarray(a, dtype="<f8").ravel().view("<u8").tolist()]


def seen(weights, factors, full):
    return {"Lambda": hexes(weights), "Modes": [hexes(f) for f in factors], "Full": hexes(full)}


out = {}
for path in sorted(folder.glob("*.npz")):
    name = path.stem
    k = loaders["pyttb"](str(path.with_suffix(".ktns")))
    cp = loaders["TensorLy"](path)
    m = scipy.io.loadmat(path.with_suffix(".mat"))
    lam, modes = m["lambda"].ravel(), list(m["U"].ravel())
    frame = loaders["pandas"](path.with_suffix(".json"))
    assert hexes(frame.to_numpy().T) == hexes(modes[0]) and hexes(frame.index) == hexes(lam), name
    rng = np.random.default_rng(0)
    x = rng.normal(size=(6, modes[0].shape[0]))
    with np.errstate(all="ignore"):
        out[name] = {
            "pyttb": seen(k.weights, k.factor_matrices, k.full().data),
            "TensorLy": seen(cp[0], cp[1], cp.to_tensor()),
            "SciPy": seen(lam, modes, pyttb.ktensor([f.copy(order="F") for f in modes], lam).full().data),
        }
    npz = np.load(path)
    assert "names" not in npz or list(frame.columns) == npz["names"].tolist(), name
    out[name]["Names"] = [str(s) for s in npz["names"]] if "names" in npz else []
    out[name]["MATLABNames"] = [str(c[0]) for c in m["names"].ravel()] if "names" in m else []
    out[name]["Center"] = hexes(npz["center"]) if "center" in npz else []
    out[name]["MATLABCenter"] = hexes(m["center"]) if "center" in m else []
    center = npz["center"] if "center" in npz else 0
    if np.abs(modes[0]).max() < 1e100:
        scores = loaders["scikit-learn"](path).fit_transform(x)
        want = np.linalg.lstsq(modes[0], (x - center).T, rcond=None)[0].T
        assert np.allclose(scores, want, rtol=1e-9, atol=1e-9), name
    pyttb.export_data(k, str(folder / f"{name}-pyttb.ktns"))
    cells = np.empty((len(modes), 1), dtype=object)
    cells[:, 0] = modes
    scipy.io.savemat(folder / f"{name}-scipy.mat", {"U": cells, "lambda": lam, "more": "ä"}, do_compression=True)
    np.savez_compressed(folder / f"{name}-numpy.npz", weights=lam, factors=np.asfortranarray(modes[0]), order=len(modes))
    loaders["NumPy"](folder / f"{name}-own.npz", lam, modes[0], len(modes))
print(json.dumps(out))
