"""Writes surveys with codes of missing values, and what pandas reads of them: DIR CASES."""
import json, pathlib, sys
import numpy as np
import pandas as pd

folder, cases = pathlib.Path(sys.argv[1]), int(sys.argv[2])

for seed in range(cases):
    rng = np.random.default_rng(seed)
    rows, names = int(rng.integers(15, 90)), [f"q{j}" for j in range(int(rng.integers(2, 6)))]
    everywhere = [["-99", "refused"], ["999", "-9.5", "n.a."], ["-99"]][rng.integers(3)]
    column, code = names[rng.integers(len(names))], ["7", "-1", "dk"][rng.integers(3)]
    table = {}
    for name in names:
        cells = [f"{x:.2f}" if rng.integers(2) else str(int(x)) for x in rng.uniform(1, 50, size=rows)]
        codes = everywhere + ["7", "-1"] + (["dk"] if name == column and code == "dk" else [])
        for i in np.flatnonzero(rng.random(rows) < 0.08):
            cells[i] = codes[rng.integers(len(codes))]
            if cells[i].lstrip("-").isdigit() and rng.integers(3) == 0:
                cells[i] += ".0"
        table[name] = cells
    path = folder / f"{seed:04d}.csv"
    pd.DataFrame(table).to_csv(path, index=False)
    read = pd.read_csv(path, na_values={name: everywhere + ([code] if name == column else []) for name in names})
    path.with_suffix(".json").write_text(json.dumps({
        "NA": everywhere + [f"{column}={code}"], "Missing": int(read.isna().sum().sum()),
        "Rows": [[float(x).hex() for x in row] for row in read.dropna().to_numpy(float)]}))
