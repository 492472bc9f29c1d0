"""Reads the tables of a folder with NumPy, pandas and pyarrow, and prints their values in hexadecimal."""
import json, pathlib, sys
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

read = {}
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    header = 0 if "named" in path.name else None
    name = path.name.split(".", 1)[1]
    tables = []
    if name == "npy":
        tables = [np.load(path)]
    elif name in ("csv", "tsv", "csv.gz", "tsv.gz"):
        text = pd.read_csv(path, sep="," if name[0] == "c" else "\t", header=header, float_precision="round_trip")
        tables = [text.to_numpy(dtype=float)]
    elif name == "parquet":
        table = pyarrow.parquet.read_table(path)
        table.validate(full=True)
        tables = [table.to_pandas().to_numpy(), pd.read_parquet(path).to_numpy()]
        assert pyarrow.parquet.ParquetFile(path).metadata.num_rows == len(tables[0])
    else:
        table = pyarrow.feather.read_table(path)
        table.validate(full=True)
        tables = [table.to_pandas().to_numpy(), pa.ipc.open_file(path).read_all().to_pandas().to_numpy()]
    columns = list(map(str, table.column_names)) if name in ("parquet", "arrow", "feather") else list(map(str, text.columns)) if header == 0 and name != "npy" else []
    for values in tables:
        assert np.array_equal(values.view(f"u{values.itemsize}"), tables[0].view(f"u{values.itemsize}"))
    read[path.name] = {"Columns": columns, "Type": str(tables[0].dtype), "Shape": tables[0].shape, "Values": [float(x).hex() for x in tables[0].ravel()]}
print(json.dumps(read))
