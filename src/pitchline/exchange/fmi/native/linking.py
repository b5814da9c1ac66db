"""Linking: object files and our C sources into one shared library that needs the C library and its mathematics only."""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from ...limits import ExchangeError

__all__ = ["SOURCES", "compiler_command", "link", "needed_c_library"]

SOURCES = pathlib.Path(__file__).with_name("c")
_OPTIONS = ["-std=c99", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off"]
_LINKER = ["-Wl,-z,defs", "-Wl,--as-needed", "-Wl,-z,noexecstack", "-s"]
LONGEST = 300.0
"""Time after which a compiler that does not end is stopped [s]."""


def compiler_command() -> list[str]:
    """The C compiler of this machine: $CC, cc, or that of the package ziglang."""
    given = os.environ.get("CC", "").split()
    if given and shutil.which(given[0]):
        return given
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    if _has_zig():
        return [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-linux-gnu.2.17"]
    raise ExchangeError(
        "an FMU without Python is linked by a C compiler, and this machine has none: install one (package gcc or clang of the "
        'system), or pip install "pitchline[fmu-build]"'
    )


def _has_zig() -> bool:
    try:
        return bool(importlib.metadata.version("ziglang"))
    except importlib.metadata.PackageNotFoundError:
        return False


def link(objects: dict[str, bytes], name: str) -> bytes:
    """Shared library from object files by name, and the C sources of this package. name: file of the library."""
    command = compiler_command()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        files = []
        for called, content in objects.items():
            files.append(str(place / f"{called}.o"))
            (place / f"{called}.o").write_bytes(content)
        made, exported = place / name, place / "exported"
        exported.write_text(
            "{ global: fmi2*; fmi3*; local: *; };\n"
        )  # so that FMUs in one process do not share functions
        sources = sorted(str(file) for file in SOURCES.glob("*.c"))
        run = [*command, *_OPTIONS, "-o", str(made), *sources, *files, *_LINKER, f"-Wl,--version-script={exported}",
               f"-Wl,-soname,{name}", "-lm"]  # fmt: skip
        try:
            done = subprocess.run(run, capture_output=True, text=True, timeout=LONGEST, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ExchangeError(f"the C compiler {command[0]} could not be run: {error}") from None
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            raise ExchangeError(f"the C compiler {command[0]} failed to link the FMU: {' '.join(lines[:3])[:600]}")
        return made.read_bytes()


def needed_c_library(library: bytes) -> str:
    """Smallest version of the GNU C library that a shared library needs, such as "2.29"; empty if it names none."""
    found = {tuple(map(int, v.split(b"."))) for v in re.findall(rb"GLIBC_(\d+(?:\.\d+)+)\0", library)}
    return ".".join(map(str, max(found))) if found else ""
