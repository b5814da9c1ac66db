"""FMUs for damage: descriptions inside a valid archive, and whole archives. Making an element reads them; nothing is run."""

import io
import zipfile
from pathlib import Path

from references.c_fmus import LinearFmu

import pitchline as pl

DESCRIPTIONS = [
    LinearFmu(A=((0.0,),), B=((1.0,),), C=((1.0,),), D=((0.0,),), major=major, inputs=(("speed", unit),)).description()
    for major, unit in ((2, "rpm"), (3, "rad/s"))
]


def packed(description: bytes) -> bytes:
    """FMU with a description and empty programs."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        for folder in (
            "linux64",
            "x86_64-linux",
            "win64",
            "x86_64-windows",
            "darwin64",
            "aarch64-linux",
            "aarch64-darwin",
        ):
            for ending in (".so", ".dll", ".dylib"):
                archive.writestr(f"binaries/{folder}/linear{ending}", b"")
    return made.getvalue()


def read(path: Path) -> object:
    """Element of an FMU, or of a description that is put into one."""
    file = path
    if path.suffix == ".xml":
        file = path.with_suffix(".fmu")
        file.write_bytes(packed(path.read_bytes()))
    return pl.fmu(
        "part", file, step="1 ms", inputs={"speed": "axis.angular_speed"}, parameters={"gain": 2, "enabled": True}
    )


def seeds() -> list[tuple[str, bytes]]:
    """Files to damage."""
    descriptions = [(f"description{i}.xml", text.encode()) for i, text in enumerate(DESCRIPTIONS)]
    return [*descriptions, ("whole.fmu", packed(DESCRIPTIONS[0].encode()))]
