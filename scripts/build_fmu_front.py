"""Build the libraries of FMUs that run in Python, for all platforms, with the C compiler of the package ziglang.

    make fmu-front

The libraries are files of the package, so that an export needs no C compiler. A test compares the hash of their sources.
"""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

FMI = Path(__file__).parents[1] / "src" / "pitchline" / "exchange" / "fmi"
FOLDER = FMI / "process"
COMMON = FMI / "c"
SOURCES = [COMMON / name for name in ("common.c", "fmi2.c", "fmi3.c")]
SOURCES += [FOLDER / "c" / name for name in ("remote.c", "posix.c", "windows.c")]
HEADERS = [COMMON / "instance.h", FOLDER / "c" / "process.h"]
HASH = FOLDER / "sources.sha256"
TARGETS = {"front.so": "x86_64-linux-gnu.2.17", "front.dll": "x86_64-windows-gnu"}


def sources_hash() -> str:
    """Hash of all sources."""
    digest = hashlib.sha256()
    for path in (*SOURCES, *HEADERS):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def build(library: str, target: str) -> None:
    """Build one library."""
    options = ["-std=c99", "-O2", "-s", "-Wall", "-Wextra", "-Werror", "-shared", "-fvisibility=hidden"]
    folders = [f"-I{COMMON}", f"-I{FOLDER / 'c'}"]
    with tempfile.TemporaryDirectory() as place:
        more = []
        if library.endswith(".so"):
            exported = Path(place) / "exported"
            exported.write_text("{ global: fmi2*; fmi3*; local: *; };\n")
            more = ["-fPIC", f"-Wl,--version-script={exported}", "-Wl,-z,noexecstack", "-lm", "-ldl"]
        made = Path(place) / library
        command = [sys.executable, "-m", "ziglang", "cc", "-target", target, *options, *folders, "-o", str(made)]
        subprocess.run([*command, *map(str, SOURCES), *more], check=True)
        (FOLDER / library).write_bytes(made.read_bytes())


if __name__ == "__main__":
    for library, target in TARGETS.items():
        build(library, target)
    HASH.write_text(sources_hash() + "\n")
