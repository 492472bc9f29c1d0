"""The kernel's latency beside ipykernel's, in turns, into bench/KERNEL.md.

    python bench/kernel.py bin/symmom [--write]

Both kernels are started by jupyter_client and asked by the same client over
the same kind of sockets. A round trip is from the request to its reply; a
start is from the start of the process to the reply to the first cell, 1+1.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

TURNS = 8  # of each kernel, with ROUND_TRIPS / TURNS measurements a turn
ROUND_TRIPS = 200
STARTS = 7
LINES = 100_000

parser = argparse.ArgumentParser()
parser.add_argument("symmom")
parser.add_argument("--write", action="store_true")
args = parser.parse_args()

home = tempfile.mkdtemp()
os.environ.update(JUPYTER_DATA_DIR=home + "/data", JUPYTER_RUNTIME_DIR=home + "/run", JUPYTER_CONFIG_DIR=home + "/config",
                  JUPYTER_PREFER_ENV_PATH="0", IPYTHONDIR=home + "/ipython", XDG_STATE_HOME=home + "/state")
subprocess.run([args.symmom, "kernel", "install"], check=True, stdout=subprocess.DEVNULL)

from jupyter_client.manager import KernelManager  # noqa: E402  reads the variables above

PRINTS = {
    "symmom": f'import "fmt"\nfor i := 0; i < {LINES}; i++ {{ fmt.Println("line", i) }}',
    "python3": f"for i in range({LINES}): print('line', i)",
}


def start(name):
    begin = time.perf_counter()
    km = KernelManager(kernel_name=name)
    km.start_kernel(stderr=subprocess.DEVNULL)
    kc = km.client()
    kc.start_channels()
    ask(kc, "1+1")
    return km, kc, time.perf_counter() - begin


def stop(km, kc):
    kc.stop_channels()
    km.shutdown_kernel()


def ask(kc, code):
    begin = time.perf_counter()
    sent = kc.execute(code)
    while True:
        reply = kc.get_shell_msg(timeout=120)
        if reply["parent_header"].get("msg_id") == sent:
            assert reply["content"]["status"] == "ok", reply
            return time.perf_counter() - begin


def drain(kc):
    while True:
        try:
            kc.get_iopub_msg(timeout=0.2)
        except Exception:
            return


def lines(kc, name):
    drain(kc)
    begin = time.perf_counter()
    sent = kc.execute(PRINTS[name])
    text = []
    while True:
        m = kc.get_iopub_msg(timeout=120)
        if m["parent_header"].get("msg_id") != sent:
            continue
        if m["msg_type"] == "stream":
            text.append(m["content"]["text"])
        elif m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
            break
    took = time.perf_counter() - begin
    whole = "".join(text) == "".join(f"line {i}\n" for i in range(LINES))
    return took, whole, len(text)


names = ["symmom", "python3"]
starts = {n: [] for n in names}
for _ in range(STARTS):
    for n in names:
        km, kc, took = start(n)
        starts[n].append(took)
        stop(km, kc)

running = {n: start(n) for n in names}
trips = {n: [] for n in names}
for _ in range(TURNS):
    for n in names:
        kc = running[n][1]
        ask(kc, "1+1")
        trips[n] += [ask(kc, "1+1") for _ in range(ROUND_TRIPS // TURNS)]
printed = {n: [] for n in names}
for _ in range(3):
    for n in names:
        printed[n].append(lines(running[n][1], n))
for km, kc, _ in running.values():
    stop(km, kc)


def ms(values):
    seconds = statistics.median(values)
    return f"{1000 * seconds:.3g} ms" if seconds < .9995 else f"{seconds:.3g} s"


def ratio(values):
    return f"{statistics.median(values['symmom']) / statistics.median(values['python3']):.2f}"


import ipykernel  # noqa: E402
import jupyter_client  # noqa: E402

took = {n: [p[0] for p in printed[n]] for n in names}
verdict = {n: "whole and in order" if all(p[1] for p in printed[n]) else "NOT whole" for n in names}
cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
report = f"""# The kernel beside ipykernel

`python bench/kernel.py bin/symmom --write`: both kernels in turns in one run, with
the same client (jupyter_client {jupyter_client.__version__}). Medians.

| | symmom | ipykernel {ipykernel.__version__} | ratio |
|---|---|---|---|
| `1+1`, request to reply ({ROUND_TRIPS} times) | {ms(trips['symmom'])} | {ms(trips['python3'])} | {ratio(trips)} |
| start of the process to the first reply ({STARTS} times) | {ms(starts['symmom'])} | {ms(starts['python3'])} | {ratio(starts)} |
| a cell that prints {LINES:,} lines, to idle (3 times) | {ms(took['symmom'])} | {ms(took['python3'])} | {ratio(took)} |
| the lines arrive | {verdict['symmom']} | {verdict['python3']} | |
| in messages | {printed['symmom'][-1][2]} | {printed['python3'][-1][2]} | |

{cpu}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end, Python {platform.python_version()}, {time.strftime('%B %Y')}.
"""
print(report)
if args.write:
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "KERNEL.md"), "w") as f:
        f.write(report)
good = all(p[1] for p in printed["symmom"])
sys.exit(0 if good else "lines are missing")
