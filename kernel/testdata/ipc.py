"""Starts the kernel as a Jupyter server does, with the configuration that the
server reads, and prints how they talk: the transport, the result of a cell, and
the modes of the sockets and of their directory."""

import asyncio
import glob
import json
import os
import stat

from jupyter_core.application import JupyterApp
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager


async def main():
    app = JupyterApp()
    app.initialize([])
    kernels = AsyncMappingKernelManager(parent=app, connection_dir=app.runtime_dir)
    kernel = kernels.get_kernel(await kernels.start_kernel(kernel_name="symmom"))
    client = kernel.client()
    client.start_channels()
    await client.wait_for_ready(timeout=60)
    shown = []
    reply = await client._async_execute_interactive(
        "40 + 2", output_hook=lambda m: shown.append(m["content"].get("data", {}).get("text/plain")), timeout=60)
    sockets = glob.glob(kernel.ip + "-*")
    mode = lambda path: oct(stat.S_IMODE(os.stat(path).st_mode))
    print(json.dumps({
        "transport": kernel.transport, "status": reply["content"]["status"], "shown": [s for s in shown if s],
        "sockets": sorted({mode(s) for s in sockets}), "count": len(sockets),
        "directory": mode(os.path.dirname(kernel.ip)),
    }))
    client.stop_channels()
    await kernels.shutdown_all()


asyncio.run(main())
