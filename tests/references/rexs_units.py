"""Gear units in REXS files for damage: the import of a damaged file succeeds or raises an error of pitchline."""

from pathlib import Path
from zlib import crc32

from references.rexs_builder import bearing_unit, bevel_unit, pair_of_shafts, planetary_unit, worm_unit
from references.rexs_files import TWO_STAGE

from pitchline.exchange.rexs.importing import from_rexs, import_rexs

_WITH_TEXT = 40
"""One of so many files is also written as a model file, which takes longer."""


def read_model(path: Path) -> object:
    """Model of a file; for some files also the text of the model file, with rigid shafts or with other laws."""
    kind = crc32(path.read_bytes()) % _WITH_TEXT
    if kind == 0:
        return import_rexs(path).file_text()
    if kind < 6:
        return from_rexs(path, shafts="rigid", mesh="rolling", bearings="stiffness")
    return from_rexs(path)


def seeds() -> list[tuple[str, bytes]]:
    """Files of all kinds of gear units."""
    units = {
        "pair": pair_of_shafts(), "planetary": planetary_unit(), "bevel": bevel_unit(), "worm": worm_unit(),
        "bearings": bearing_unit(),
    }  # fmt: skip
    found = [(f"{name}.rexs", unit.text().encode()) for name, (unit, _) in units.items()]
    return [*found, ("two_stage.rexs", TWO_STAGE.read_bytes())]
