"""A client that runs cells in a subshell while the main shell has a long one.

Prints how long 1 + 1 takes there, and ok if all is well.
"""

import statistics
import time

from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="symmom")
PATIENCE = 120


def control(kind, **content):
    m = client.session.msg(kind, content)
    client.control_channel.send(m)
    while True:
        r = client.control_channel.get_msg(timeout=PATIENCE)
        if r["parent_header"]["msg_id"] == m["header"]["msg_id"]:
            return r["content"]


def send(code, subshell=None):
    m = client.session.msg("execute_request", {"code": code, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True})
    m["header"]["subshell_id"] = subshell
    client.shell_channel.send(m)
    return m["header"]["msg_id"]


kept = {}


def reply(request):
    while request not in kept:
        r = client.shell_channel.get_msg(timeout=PATIENCE)
        kept[r["parent_header"]["msg_id"]] = r["content"]
    return kept.pop(request)


subshell = control("create_subshell_request")["subshell_id"]
assert control("list_subshell_request")["subshell_id"] == [subshell]
assert reply(send("data := datasets.Uniform(300, 40000, 1)"))["status"] == "ok"
fit = send("fit := data.Moment(3).Implicit().With(symmom.Options{Starts: 10}).Decompose(10)")
time.sleep(0.5)
times = []
while fit not in kept and len(times) < 50:
    begin = time.perf_counter()
    r = reply(send("1 + 1", subshell))
    times.append(1000 * (time.perf_counter() - begin))
    assert r["status"] == "ok", r
    time.sleep(0.02)
print(f"1 + 1 in a subshell beside a fit, {len(times)} times: median {statistics.median(times):.1f} ms, at most {max(times):.1f} ms; the fit ran on: {fit not in kept}")
manager.interrupt_kernel()
r = reply(fit)
assert r.get("ename") == "interrupted", r
assert reply(send("fit.Err() == nil", subshell))["status"] == "ok"
assert control("delete_subshell_request", subshell_id=subshell)["status"] == "ok"
client.stop_channels()
manager.shutdown_kernel(now=True)
print("ok")
