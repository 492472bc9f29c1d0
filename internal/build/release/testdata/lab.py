"""lab.py VENV CHROMIUM NOTEBOOK: opens JupyterLab of an environment in the browser, prints
the kernels that its launcher lists, runs a notebook without outputs, and prints them."""
import json, os, pathlib, socket, subprocess, sys, tempfile, time, urllib.request
from playwright.sync_api import sync_playwright

venv, chromium, notebook = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PATIENCE = 300
PANEL = 'Array.from(window.jupyterapp?.shell.widgets("main") ?? []).find(w => w.content?.activeCellIndex !== undefined)'
IDLE = f'({PANEL})?.sessionContext.session?.kernel?.status === "idle"'
CODE = f'({PANEL}).content.widgets.filter(cell => cell.model.type === "code")'

with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "log"), "w+") as log:
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    pathlib.Path(folder, notebook.name).write_text(json.dumps(content), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [venv + "/bin/python", "-m", "jupyterlab", "--allow-root", "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0",
         "--IdentityProvider.token=secret", "--ServerApp.root_dir=" + folder, "--expose-app-in-browser"], stdout=log, stderr=log)
    try:
        begin = time.monotonic()
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/lab?token=secret").close()
                break
            except OSError:
                if server.poll() is not None or time.monotonic() - begin > PATIENCE:
                    sys.exit("JupyterLab does not start:\n" + pathlib.Path(log.name).read_text())
                time.sleep(0.1)
        with sync_playwright() as playwright:
            page = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page()
            page.set_default_timeout(PATIENCE * 1000)
            page.goto(f"http://127.0.0.1:{port}/lab?token=secret")
            cards = page.locator('.jp-LauncherCard[data-category="Notebook"]')
            cards.first.wait_for()
            print("launcher:", kernels := cards.all_inner_texts())
            if content["metadata"]["kernelspec"]["display_name"] not in kernels:
                sys.exit("the notebook's kernel is not listed")
            page.goto(f"http://127.0.0.1:{port}/lab/tree/{notebook.name}?token=secret")
            page.wait_for_function(IDLE)
            page.evaluate('window.jupyterapp.commands.execute("notebook:run-all-cells")')
            page.wait_for_function(f"{CODE}.every(cell => cell.model.executionCount > 0) && {IDLE}")
            for output in page.evaluate(f"{CODE}.flatMap(cell => cell.model.outputs.toJSON())"):
                print(output["output_type"], output.get("data", output).get("text/plain", output.get("evalue", "")))
    finally:
        server.terminate()
        server.wait()
