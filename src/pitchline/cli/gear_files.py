"""Files of ``pitchline gear``: solid grids, surfaces, input files for Abaqus and CalculiX, and shaded pictures."""

from __future__ import annotations

import argparse
import math
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.base.progress.display import stage
from pitchline.base.storage.free_names import safe_stem
from pitchline.errors import ModelError, PitchlineError, near_names
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.kinds import cone_angles
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.geometry.table import Row, data_sheet
from pitchline.results.result import text_table
from pitchline.units.quantity import quantity

from .gear import ENDINGS
from .run import chosen_file, write_atomically

if TYPE_CHECKING:
    from pitchline.fem.sector_grid import BevelSectorGrid, SectorGrid
    from pitchline.fem.solid_grid import SolidGrid
    from pitchline.model.model import Model
    from pitchline.parts.gears.geometry.placement import Placement

__all__ = [
    "ShownPair",
    "as_data",
    "as_text",
    "pair_of",
    "wheel_data",
    "wheel_text",
    "WrittenFile",
    "asked_files",
    "chosen_pairs",
    "write_files",
]


# ---- gear pairs

# Gear pairs from command-line options, and the table of both gears of a pair.

_SCALES = {"m": (1e3, "mm"), "rad": (180.0 / math.pi, "deg")}


@dataclass(frozen=True)
class ShownPair:
    """A pair and the names of its gears."""

    pair: GearPair
    names: tuple[str, str] = ("a", "b")

    @classmethod
    def of_model(cls, model: Model) -> dict[str, ShownPair]:
        """Pairs by name. Pairs that are defined by ratio or radius only are left out; they have no teeth."""
        return {
            key: cls(mesh.pair, (mesh.wheel_a.name, mesh.wheel_b.name))
            for key, mesh in model.gear_pairs.items()
            if isinstance(mesh.pair, GearPair)
        }


def pair_of(given: argparse.Namespace) -> GearPair:
    """The gear pair that the options of ``pitchline gear`` specify."""
    if given.module is None:
        raise ModelError("gear: the module is missing. Specify --module, e.g. --module 2mm")
    teeth = _two(given.teeth, "teeth", second_needed=not given.rack)
    shift, width = _two(given.shift, "shift"), _two(given.width, "width")
    common: dict[str, Any] = {"normal_module": given.module, "normal_pressure_angle": given.pressure_angle}
    if given.backlash is not None:
        common["backlash_allowance"] = given.backlash
    a: dict[str, Any] = {"teeth": teeth[0], "face_width": width[0], **_if_said(profile_shift=shift[0])}
    b: dict[str, Any] = {"teeth": teeth[1], "face_width": width[1], **_if_said(profile_shift=shift[1])}
    bore = _two(given.bore, "bore")
    a |= _if_said(bore=bore[0])
    b |= _if_said(bore=bore[1]) if not (given.internal or given.rack) else {}
    if given.rim is not None:
        if not given.internal:
            raise ModelError("gear: --rim is the outer diameter of an internal gear. Remove it, or add --internal")
        b["rim_diameter"] = given.rim
    if given.bore is not None and len(given.bore) == 2 and (given.internal or given.rack):
        raise ModelError("gear: only the first gear of this pair has a bore. Specify --bore with one value")
    if given.shift is not None and len(given.shift) == 1:
        b.pop("profile_shift")  # a single value applies to the first gear
    placing = _if_said(centre_distance=given.centre_distance, shaft_angle=given.shaft_angle)
    if given.worm is not None:
        a["starts"], a["lead_angle"] = a.pop("teeth"), given.worm
        b["helix_angle"] = given.worm
        if given.helix is not None:
            raise ModelError("gear: a worm is defined by its lead angle. Remove --helix")
    else:
        first, second = _helices(given)
        a |= _if_said(helix_angle=first)
        b |= _if_said(helix_angle=second)
    if given.bevel:
        between = quantity(given.shaft_angle or "90 deg", "angle", what="gear: --shaft-angle")
        a["cone_angle"], b["cone_angle"] = cone_angles(_whole(teeth[0]), _whole(teeth[1]), between)
    if given.rack:
        if given.shift is not None and len(given.shift) > 1:
            raise ModelError("gear: a rack has no profile shift. Specify --shift with one value, for the pinion")
        b.pop("profile_shift", None)
        b["teeth"] = teeth[1] if len(given.teeth) > 1 else 1
        other: Gear | Rack = Rack(**common, **b)
    else:
        other = Gear(internal=given.internal, **common, **b)
    pair = GearPair(Gear(**common, **a), other, **placing)
    return pair.shortened() if given.shorten else pair


def as_text(name: str, pair: GearPair) -> str:
    """Table of both gears, then of the pair, then the warnings."""
    a, b = ({row.name: row for row in data_sheet(wheel)} for wheel in (pair.a, pair.b))
    rows = []
    for row in {**a, **b}.values():
        values = a.get(row.name), b.get(row.name)
        if row.name != "cone_angle" or any(value and value.value for value in values):  # bevel gears only
            rows.append([row.symbol, _words(row), _unit(row), *map(_value, values)])
    working = [f"{1e3 * d:.6g}" if math.isfinite(d) else "" for d in pair.working_diameters]
    rows.append(["d_w", "working pitch diameter", "mm", *working])
    both = [[row.symbol, _words(row), _unit(row), _value(row), ""] for row in data_sheet(pair)]
    if math.isfinite(pair.ratio):
        both.insert(0, ["u", "gear ratio", "", f"{pair.ratio:.6g}", ""])
    second = "rack" if isinstance(pair.b, Rack) else "wheel B"
    table = text_table(["", f"{pair.kind} pair", "unit", "wheel A", second], [*rows, [""] * 5, *both], left=3)
    said = [
        textwrap.fill(f"{which}: {what}: {text}", 110, subsequent_indent="         ")
        for which, wheel in (("wheel A", pair.a), ("wheel B", pair.b))
        for what, text in data_sheet(wheel).words.items()
        if what != "material"
    ]
    notes = [textwrap.fill(f"warning: {text}", 110, subsequent_indent="         ") for text in pair.warnings]
    return "\n".join([name, "", table, *([""] if said else []), *said, *([""] if notes else []), *notes])


def wheel_text(name: str, gear: Gear | Rack) -> str:
    """Table of a single gear, with its notes and warnings."""
    rows = [
        [row.symbol, _words(row), _unit(row), _value(row)]
        for row in data_sheet(gear)
        if row.value or row.name != "cone_angle"
    ]
    said = [f"{what}: {text}" for what, text in data_sheet(gear).words.items()]
    notes = [f"warning: {text}" for text in getattr(gear, "warnings", ())]
    lines = [textwrap.fill(text, 110, subsequent_indent="         ") for text in (*said, *notes)]
    table = text_table(["", "rack" if isinstance(gear, Rack) else "gear", "unit", "value"], rows, left=3)
    return "\n".join([name, "", table, *([""] if lines else []), *lines])


def wheel_data(name: str, gears: dict[str, Gear | Rack]) -> dict[str, Any]:
    """Object of ``--json`` for single gears: their quantities as figures, in SI units."""
    figures: dict[str, Any] = {}
    for key, gear in gears.items():
        sheet = data_sheet(gear)
        figures |= {f"{key}.{row.name}": {"value": row.value, "unit": row.unit} for row in sheet}
        figures |= {f"{key}.{what}": {"value": text, "unit": ""} for what, text in sheet.words.items()}
        figures[f"{key}.warnings"] = {"value": list(getattr(gear, "warnings", ())), "unit": ""}
    return {"model": name, "analyses": [], "figures": figures}


def as_data(name: str, pairs: dict[str, GearPair]) -> dict[str, Any]:
    """Object of ``--json``: quantities of every pair as figures, in SI units."""
    figures: dict[str, Any] = {}
    for key, pair in pairs.items():
        start = "" if len(pairs) == 1 else f"{key}."
        for part, item in (("a.", pair.a), ("b.", pair.b), ("", pair)):
            for row in data_sheet(item):
                figures[f"{start}{part}{row.name}"] = {"value": row.value, "unit": row.unit}
            for what, text in data_sheet(item).words.items():
                figures[f"{start}{part}{what}"] = {"value": text, "unit": ""}
        figures[f"{start}warnings"] = {"value": list(pair.warnings), "unit": ""}
    return {"model": name, "analyses": [], "figures": figures}


def _words(row: Row) -> str:
    return row.name.replace("_", " ")


def _unit(row: Row) -> str:
    return _SCALES.get(row.unit, (1.0, row.unit))[1]


def _value(row: Row | None) -> str:
    return "" if row is None else f"{_SCALES.get(row.unit, (1.0, ''))[0] * row.value:.6g}"


def _helices(given: argparse.Namespace) -> tuple[Any, Any]:
    """The second helix angle follows from the first: opposite hand, or the same hand for an internal gear."""
    first, second = _two(given.helix, "helix")
    if first is None or len(given.helix) == 2:
        return first, second
    if given.shaft_angle is not None and not given.bevel:
        raise ModelError("gear: crossed gears need both helix angles, e.g. --helix 30deg 60deg")
    return first, first if given.internal else _opposite(first)


def _opposite(angle: object) -> str:
    text = str(angle).strip()
    return text[1:] if text.startswith("-") else f"-{text.removeprefix('+')}"


def _two(values: list[str] | None, what: str, *, second_needed: bool = False) -> tuple[Any, Any]:
    """Values for both gears. A single value applies to both."""
    if values is None:
        return None, None
    if len(values) > 2 or (second_needed and len(values) < 2):
        raise ModelError(
            f"gear: --{what} takes {'two' if second_needed else 'one or two'} values, got {' '.join(values)}"
        )
    return _number(values[0]), _number(values[-1])


def _number(text: str) -> Any:
    """Return a plain number as a number, and a text with a unit unchanged."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _whole(value: Any) -> int:
    if not isinstance(value, int) or value < 1:
        raise ModelError(f"gear: --teeth must be integers, got {value}")
    return value


def _if_said(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


_BORE, _RIM = 0.4, 8.0
"""Default bore divided by the reference diameter, and default rim of an internal gear beyond its root, in modules."""
_POINTS = 24
"""Points along an involute in an STL file. The chords deviate from it by at most a few thousandths of the module."""


@dataclass(frozen=True)
class WrittenFile:
    """A written file and its contents."""

    kind: str
    path: Path
    words: str
    counts: dict[str, int]

    def line(self) -> str:
        """Text for people."""
        return f"{self.kind:<8}{self.path}" + (f": {self.words}" if self.words else "")

    def as_data(self) -> dict[str, Any]:
        """Data for programs."""
        return {"kind": self.kind, "path": str(self.path), **self.counts}


def asked_files(given: argparse.Namespace) -> dict[str, Path]:
    """Files that the options name, by kind."""
    return {kind: path for kind in ENDINGS if (path := getattr(given, kind)) is not None}


def chosen_pairs(given: argparse.Namespace, pairs: dict[str, ShownPair]) -> dict[str, ShownPair]:
    """The pair selected with --pair. Without output files: all pairs."""
    if given.pair is not None:
        if given.pair not in pairs:
            raise ModelError(f'gear: there is no pair "{given.pair}"; {near_names(given.pair, pairs)}')
        return {given.pair: pairs[given.pair]}
    if asked_files(given) and len(pairs) > 1:
        raise ModelError(f"gear: files contain one pair. Select it with --pair: {', '.join(pairs)}")
    return pairs


def write_files(given: argparse.Namespace, pairs: dict[str, ShownPair]) -> list[WrittenFile]:
    """Write all requested files. Errors are reported before the first file is computed."""
    asked = asked_files(given)
    if not asked:
        return []
    (one,) = pairs.values()
    for kind, path in asked.items():
        if path.suffix.lower() not in ENDINGS[kind]:
            raise PitchlineError(f'gear: --{kind} "{path}": the name must end in {" or ".join(ENDINGS[kind])}')
    files = _PairFiles(given, one, asked)
    return [file for kind in asked for file in files.write(kind)]


class _PairFiles:
    """Files of one pair."""

    def __init__(self, given: argparse.Namespace, one: ShownPair, asked: dict[str, Path]) -> None:
        self.given, self.pair = given, one.pair
        self.names = dict(zip(("a", "b"), _file_words(one.names), strict=True))
        self.wheels = self._wheels(one)
        self.solids: dict[str, SectorGrid | BevelSectorGrid] = {}
        if given.apart and len(self.wheels) < 2:
            raise ModelError("gear: --apart writes both gears. Remove --wheel")
        if given.contact_lines and len(self.wheels) < 2:
            raise ModelError("gear: --contact-lines needs both gears. Remove --wheel")
        self.targets = {kind: self._targets(kind, path) for kind, path in asked.items()}
        for kind in asked:
            for key, wheel in self.wheels.items():
                self._check(kind, key, wheel)

    def _wheels(self, one: ShownPair) -> dict[str, Gear]:
        """The selected gears, by "a" and "b"."""
        wish = self.given.wheel
        if wish not in ("a", "b", "both"):
            if wish not in one.names:
                names = "".join(f", {name}" for name in one.names if name not in ("a", "b"))
                raise ModelError(f'gear: there is no gear "{wish}". Specify --wheel with one of: a, b, both{names}')
            wish = "ab"[one.names.index(wish)]
        wheels: dict[str, Gear] = {}
        for key, wheel in (("a", self.pair.a), ("b", self.pair.b)):
            if wish in (key, "both"):
                if not isinstance(wheel, Gear):
                    raise ModelError(
                        "gear: tooth surfaces of a rack are not supported. Write only the pinion with --wheel a"
                    )
                wheels[key] = wheel
        return wheels

    def _finite(self, kind: str) -> bool:
        """Whether a file consists of finite elements."""
        return kind in ("grid", "inp") or bool(self.given.sector)

    def _check(self, kind: str, key: str, wheel: Gear) -> None:
        if kind == "drawing":
            return
        what = f'gear: --{kind} of gear "{self.names[key]}"'
        if wheel.face_width is None:
            raise ModelError(
                f"{what} needs the face width. Specify --width, e.g. --width 20mm (face_width in a model file)"
            )
        if wheel.cone_angle and wheel.helix_angle:
            raise ModelError(
                f"{what}: tooth surfaces of spiral bevel and hypoid gears are not supported. Only the table is available"
            )
        if self._finite(kind) and wheel.cone_angle and self.given.rim_thickness is None:
            raise ModelError(
                f"{what}: the grid of a bevel gear consists of its teeth and a rim. Specify --rim-thickness, e.g. 5mm"
            )
        if self._finite(kind) and not wheel.cone_angle and self.given.rim_thickness is not None:
            raise ModelError(f"{what}: --rim-thickness applies to bevel gears only. Remove it")
        if self._finite(kind) and wheel.worm:
            raise ModelError(f"{what}: worms have no finite-element grid. Write --stl or --plot without --sector")

    def _targets(self, kind: str, path: Path) -> dict[str, Path]:
        """One file with the requested name, or one per gear."""
        one = not self.given.apart or (kind == "plot" and not self.given.sector)
        if len(self.wheels) == 1 or (one and kind != "drawing"):
            return {"": chosen_file(path, path.stem, path.suffix, force=self.given.force)}
        return {
            key: chosen_file(
                path.with_name(f"{path.stem}_{self.names[key]}{path.suffix}"),
                path.stem,
                path.suffix,
                force=self.given.force,
            )
            for key in self.wheels
        }

    # ------------------------------------------------------------------------------------------------- written files

    def write(self, kind: str) -> list[WrittenFile]:
        """Files of one kind."""
        found = []
        for key, path in self.targets[kind].items():
            keys = [key] if key else list(self.wheels)
            if kind == "drawing":
                write, words, counts = self._drawing(keys[0])
            elif kind == "plot":
                write, words, counts = self._picture(keys)
            elif self._finite(kind):
                write, words, counts = self._solid(kind, keys)
            else:
                write, words, counts = self._surface(keys)
            with stage(f"writing {path.name}"):
                write_atomically(path, write, force=self.given.force)
            found.append(WrittenFile(kind, path, words, counts))
        return found

    def _sector(self, key: str) -> SectorGrid | BevelSectorGrid:
        from pitchline.fem.sector_grid import bevel_sector_grid, sector_grid
        from pitchline.parts.gears.teeth.bevel import BevelTeeth
        from pitchline.parts.gears.teeth.teeth import Teeth

        if key not in self.solids:
            given = self.given
            sizes = {"flank_edge": given.flank_edge, "size": given.size, "face_elements": given.face_elements}
            said = {name: value for name, value in sizes.items() if value is not None}
            wheel = self.wheels[key]
            if wheel.cone_angle:
                rim = given.rim_thickness
                made = bevel_sector_grid(BevelTeeth(wheel), rim_thickness=rim, order=given.element_order, **said)
                self.solids[key] = made
            else:
                self.solids[key] = sector_grid(Teeth(wheel), order=given.element_order, **said, **_assumed(wheel))
        return self.solids[key]

    def _poses(self) -> dict[str, Placement]:
        from pitchline.parts.gears.drawing_solid import gears_in_mesh
        from pitchline.parts.gears.solid_surface import teeth_of

        a, b = (teeth_of(wheel) for wheel in self.wheels.values())
        return dict(zip("ab", gears_in_mesh(a, b, pair=self.pair), strict=True))

    def _solid(self, kind: str, keys: list[str]) -> tuple[Callable[[Path], object], str, dict[str, int]]:
        from pitchline.fem.sector_grid import whole_gear
        from pitchline.files.grid_file import together, write_grid

        grids: dict[str, SolidGrid] = {}
        for key in keys:
            sector = self._sector(key)
            grids[self.names[key]] = whole_gear(sector) if self.given.whole else sector.solid
        solid = next(iter(grids.values()))
        if len(keys) == 2:
            poses = self._poses()
            solid = together(grids, {self.names[key]: poses[key] for key in keys})
        options: dict[str, Any] = {}
        if kind == "inp":
            options["material"] = self.wheels[keys[0]].material
            if len({wheel.material for wheel in (self.wheels[key] for key in keys)}) > 1:
                raise ModelError(
                    "gear: an --inp file has one material, but the materials of these gears differ. Use --apart"
                )
        elif kind == "grid":  # one field per tooth would be hundreds of fields
            options["node_sets"] = [name for name in solid.node_sets if " of tooth " not in name]
        part = (
            "whole" if self.given.whole else f"one tooth of {' and '.join(str(self.wheels[key].teeth) for key in keys)}"
        )
        words = (
            f"{len(solid.nodes):,} nodes, {len(solid.elements):,} elements of {solid.elements.shape[1]} nodes, {part}"
        )
        words += "".join(_assumption(self.wheels[key], self.names[key]) for key in keys)
        counts = {"nodes": len(solid.nodes), "elements": len(solid.elements)}
        return lambda draft: write_grid(draft, solid, **options), words, counts

    def _surface(self, keys: list[str]) -> tuple[Callable[[Path], object], str, dict[str, int]]:
        from pitchline.parts.gears.solid_surface import gear_surface
        from pitchline.parts.gears.triangles import write_stl

        bodies = [gear_surface(self.wheels[key], profile_points=_POINTS) for key in keys]
        if len(keys) == 2:
            poses = self._poses()
            bodies = [
                body.moved(poses[key].rotation, poses[key].position) for key, body in zip(keys, bodies, strict=True)
            ]
        count = sum(len(body.triangles) for body in bodies)
        return lambda draft: write_stl(draft, bodies), f"{count:,} triangles, whole, in mm", {"triangles": count}

    def _drawing(self, key: str) -> tuple[Callable[[Path], object], str, dict[str, int]]:
        from pitchline.parts.gears.drawing import plot_gear

        return lambda draft: plot_gear(self.wheels[key], path=draft), "", {}

    def _picture(self, keys: list[str]) -> tuple[Callable[[Path], object], str, dict[str, int]]:
        given = self.given
        look = {} if given.view is None else {"view": given.view}
        if given.sector:
            from pitchline.views.solid_picture import plot_solid

            grids = [self._sector(key).solid for key in keys]
            if len(keys) == 2:
                raise ModelError(
                    "gear: --plot --sector draws the elements of one gear. Specify --wheel a or b, or --apart"
                )
            solid = grids[0]
            title = f"{len(solid.nodes):,} nodes, {len(solid.elements):,} elements of {solid.elements.shape[1]} nodes"
            return lambda draft: plot_solid(solid, path=draft, title=title, **look), title, {}
        from pitchline.parts.gears.drawing_solid import plot_gears

        if given.close_up is not None:
            look["close_up"] = given.close_up
        subject: Gear | GearPair = self.pair if len(keys) == 2 else self.wheels[keys[0]]
        return lambda draft: plot_gears(subject, contact_lines=given.contact_lines, path=draft, **look), "", {}


def _assumed(wheel: Gear) -> dict[str, float]:
    """Inner end of the hexahedra if the gear does not specify it: a bore, or the rim of an internal gear."""
    if wheel.internal:
        return {} if wheel.rim_diameter else {"rim_diameter": wheel.root_diameter + _RIM * wheel.normal_module}
    return {} if wheel.bore or wheel.cone_angle else {"bore": _BORE * wheel.reference_diameter}


def _assumption(wheel: Gear, name: str) -> str:
    """Text about an assumed value."""
    for what, value in _assumed(wheel).items():
        word, option = ("bore", "--bore") if what == "bore" else ("rim diameter", "--rim")
        return f"; {name}: {word} of {1e3 * value:.4g} mm assumed; specify {option} to change it"
    return ""


def _file_words(names: tuple[str, str]) -> tuple[str, str]:
    """Names of gears for file names; "a" and "b" if the names are equal."""
    a, b = (re.sub(r"[^\w.-]+", "_", safe_stem(name, otherwise="")).strip("_.") for name in names)
    return (a, b) if a and b and a != b else ("a", "b")
