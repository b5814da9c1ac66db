"""What a wheel holds besides the sources: machine code, where `scripts/build_wheel.py` has compiled it.

An installation from sources (`pip install .`, editable or not) compiles nothing and gives a wheel for all machines.
"""

import os
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MachineCode(BuildHookInterface):
    """Adds the file that PITCHLINE_SHIPPED_CODE names, and the tag of the machines that it is for."""

    def initialize(self, version, build_data):
        code = os.environ.get("PITCHLINE_SHIPPED_CODE")
        if code and self.target_name == "wheel" and version == "standard":
            build_data["force_include"][os.path.abspath(code)] = "pitchline/numerics/machine_code/shipped.code"
            build_data["pure_python"] = False
            build_data["tag"] = platform_tag()


def platform_tag():
    """This version of Python, and this platform (macOS: that which Python itself was built for)."""
    python = (
        "cp"
        + sysconfig.get_config_var("py_version_nodot")
        + (sysconfig.get_config_var("ABIFLAGS") or "").replace("d", "")
    )
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"cp{sysconfig.get_config_var('py_version_nodot')}-{python}-{platform}"
