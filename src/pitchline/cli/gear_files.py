"""Files of ``pitchline gear``: solid grids, surfaces, input files for Abaqus and CalculiX, and shaded pictures."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..disk.names import safe_stem
from ..errors import ModelError, PitchlineError, near_names
from ..gears import Gear, GearPair
from ..progress import stage
from .gear_options import ENDINGS
from .gear_pairs import ShownPair
from .output import chosen_file, write_atomically

if TYPE_CHECKING:
    from ..fem.sector_bevel import BevelSectorGrid
    from ..fem.sector_grid import SectorGrid
    from ..fem.solid_grid import SolidGrid
    from ..gears.placement import Placement

__all__ = ["WrittenFile", "asked_files", "chosen_pairs", "write_files"]

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
        from ..fem.sector_bevel import bevel_sector_grid
        from ..fem.sector_grid import sector_grid
        from ..gears.teeth import BevelTeeth, Teeth

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
        from ..files.gear_surface import teeth_of
        from ..views.solid_gears import gears_in_mesh

        a, b = (teeth_of(wheel) for wheel in self.wheels.values())
        return dict(zip("ab", gears_in_mesh(a, b, pair=self.pair), strict=True))

    def _solid(self, kind: str, keys: list[str]) -> tuple[Callable[[Path], object], str, dict[str, int]]:
        from ..fem.sector_grid import whole_gear
        from ..files.grid_file import together, write_grid

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
        from ..files.gear_surface import gear_surface
        from ..files.surface_stl import write_stl

        bodies = [gear_surface(self.wheels[key], profile_points=_POINTS) for key in keys]
        if len(keys) == 2:
            poses = self._poses()
            bodies = [
                body.moved(poses[key].rotation, poses[key].position) for key, body in zip(keys, bodies, strict=True)
            ]
        count = sum(len(body.triangles) for body in bodies)
        return lambda draft: write_stl(draft, bodies), f"{count:,} triangles, whole, in mm", {"triangles": count}

    def _drawing(self, key: str) -> tuple[Callable[[Path], object], str, dict[str, int]]:
        from ..views.gear_drawing import plot_gear

        return lambda draft: plot_gear(self.wheels[key], path=draft), "", {}

    def _picture(self, keys: list[str]) -> tuple[Callable[[Path], object], str, dict[str, int]]:
        given = self.given
        look = {} if given.view is None else {"view": given.view}
        if given.sector:
            from ..views.solid_picture import plot_solid

            grids = [self._sector(key).solid for key in keys]
            if len(keys) == 2:
                raise ModelError(
                    "gear: --plot --sector draws the elements of one gear. Specify --wheel a or b, or --apart"
                )
            solid = grids[0]
            title = f"{len(solid.nodes):,} nodes, {len(solid.elements):,} elements of {solid.elements.shape[1]} nodes"
            return lambda draft: plot_solid(solid, path=draft, title=title, **look), title, {}
        from ..views.solid_gears import plot_gears

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
