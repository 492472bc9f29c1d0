"""Runs notebooks from a clean state and writes them with their outputs.

usage: execute.py KERNEL OUTDIR NOTEBOOK...

Prints a line for each: its name and the seconds it took. An error in a cell is
one of the outputs; it does not stop the run.
"""

import pathlib
import sys
import time

import nbformat
from nbclient import NotebookClient

kernel, out, *notebooks = sys.argv[1:]
for path in map(pathlib.Path, notebooks):
    nb = nbformat.read(path, as_version=4)
    started = time.monotonic()
    NotebookClient(
        nb, kernel_name=kernel, timeout=600, allow_errors=True, record_timing=False, store_widget_state=False
    ).execute()
    # The kernel that people open it with, whichever ran it here.
    nb.metadata = {
        "kernelspec": {"display_name": "Go (symmom)", "language": "go", "name": "symmom"},
        "language_info": {"name": "go", "file_extension": ".go", "mimetype": "text/x-go"},
    }
    nbformat.write(nb, pathlib.Path(out) / path.name)
    print(path.name, f"{time.monotonic() - started:.1f}", flush=True)
