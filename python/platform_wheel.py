"""Puts the program and the kernel of one platform into the wheel."""

import json
import os
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformWheel(BuildHookInterface):
    def initialize(self, version, build_data):
        program = os.environ["SYMMOM_WHEEL_PROGRAM"]  # of this platform
        spec = Path(os.environ["SYMMOM_WHEEL_KERNEL"])  # what symmom kernel install wrote
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ["SYMMOM_WHEEL_PLATFORM"]
        windows = program.endswith(".exe")
        name, scripts = ("symmom.exe", "Scripts") if windows else ("symmom", "bin")
        build_data["shared_scripts"][program] = name
        # Jupyter finds the program from where the kernel is, whatever environment it runs in.
        kernel = json.loads((spec / "kernel.json").read_text())
        kernel["argv"][0] = "{resource_dir}/../../../../" + scripts + "/" + name
        written = spec.parent / "kernel.json"
        written.write_text(json.dumps(kernel, indent=2) + "\n")
        for file in [written, *(f for f in spec.iterdir() if f.name != "kernel.json")]:
            build_data["shared_data"][str(file)] = "share/jupyter/kernels/symmom/" + file.name
