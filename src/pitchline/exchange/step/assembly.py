"""Bodies of a model from the parts of a STEP file: densities, groups of parts, names, shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import Subject, shown
from ...model import MassProperties, Model
from ...model.names import GROUND_NAME
from ...progress import note
from ...solids.shape import Shape, rotated, shifted
from ..imported import Imported, ImportReport, Kind
from ..limits import ExchangeError
from .part_names import matching
from .parts import ANGLE, TIME_LIMIT, CadPart, cad_parts, read_density

__all__ = ["from_step", "import_step"]

Patterns = Mapping[str, Any]


@names_wrong_arguments
def from_step(
    path: str | Path,
    *,
    density: Any = None,
    materials: Patterns | None = None,
    masses: Patterns | None = None,
    bodies: Mapping[str, Sequence[str]] | None = None,
    leave_out: Sequence[str] = (),
    name: str | None = None,
    gravity: Any = (0.0, 0.0, 0.0),
    tolerance: Any = None,
    angle: Any = ANGLE,
    time_limit: Any = TIME_LIMIT,
) -> Model:
    """Model with one body for each part of a STEP file, at its place, with its mass and its shape. Needs the extra ``cad``.

    Parts are selected by name, name of the product, path or material, also with patterns such as ``"wheel*"``.

    Parameters
    ----------
    path
        STEP file (.step, .stp). Units of length are converted.
    density
        Of parts for which neither the file nor `materials` has one [kg/m^3], or a `Material`.
    materials
        Densities by part: ``{"wheel*": pl.STEEL, "cover": "2700 kg/m^3"}``. The first entry that fits a part is used, before
        the density of the file.
    masses
        Total masses by part ``{"motor*": "2.1 kg"}``, instead of a density: the mass is evenly distributed.
    bodies
        Parts that form one body: ``{"arm_1": ["link*", "motor_1"]}``. The body has the placement of the first of these parts.
        Parts of ``"ground"`` are only drawn.
    leave_out
        Parts that are not part of the model, such as ``["sketch*"]``.
    name
        Of the model. Default: the name of the file.
    gravity
        (3,) [m/s^2]. Default: none.
    tolerance, angle, time_limit
        As for `cad_parts`.
    """
    imported = import_step(
        path,
        density=density,
        materials=materials,
        masses=masses,
        bodies=bodies,
        leave_out=leave_out,
        name=name,
        gravity=gravity,
        tolerance=tolerance,
        angle=angle,
        time_limit=time_limit,
    )
    for text in imported.report.of("ignored") + imported.report.of("assumed"):
        note(f"{Path(path).name}: {text}")
    return imported.model


def import_step(
    path: str | Path,
    *,
    density: Any = None,
    materials: Patterns | None = None,
    masses: Patterns | None = None,
    bodies: Mapping[str, Sequence[str]] | None = None,
    leave_out: Sequence[str] = (),
    name: str | None = None,
    gravity: Any = (0.0, 0.0, 0.0),
    **options: Any,
) -> Imported:
    """As `from_step`, with a report."""
    from ...files.shape_files import shape_files

    file = Path(path).expanduser()
    parts = cad_parts(file, **options)
    report = ImportReport()
    parts = _left(file, parts, leave_out, report)
    groups = _groups(file, parts, bodies or {})
    solids = _Solids(file, parts, density, materials or {}, masses or {}, report)
    model = Model(file.stem if name is None else name, gravity=gravity)
    for body, members in groups.items():
        if body == GROUND_NAME:
            drawn = [piece for part in members for piece in _placed_shape(part).pieces]
            if drawn:
                model.look(model.ground, shape=Shape(tuple(drawn)))
            report.add("used", f"drawn on the ground: {', '.join(part.name for part in members)}")
            continue
        first = members[0]
        solid = sum_of([_relative(solids.of(part), part, first) for part in members])
        model.body(body, solid=solid, position=first.position, orientation=first.orientation)
        of = "" if len(members) == 1 else f" of {len(members)} parts ({', '.join(part.name for part in members)})"
        report.add("used", f'body "{body}"{of}: {solid.mass:.6g} kg')
        for part in members:
            for text in part.notes:
                kind: Kind = "assumed" if text.startswith("assumed: ") else "ignored"
                report.add(kind, f'part "{part.name}": {text.removeprefix("assumed: ")}')
    solids.check_used()
    return Imported(model, report, files=shape_files(model))


def sum_of(solids: Sequence[MassProperties]) -> MassProperties:
    total = solids[0]
    for solid in solids[1:]:
        total = total + solid
    return total


def _relative(solid: MassProperties, part: CadPart, base: CadPart) -> MassProperties:
    """Mass properties of a part in the axes of another one."""
    if part is base:
        return solid
    R = base.orientation.T @ part.orientation
    return solid.turned(R).moved(base.orientation.T @ (part.position - base.position))


def _placed_shape(part: CadPart) -> Shape:
    return shifted(rotated(part.shape, part.orientation), part.position)


def _left(file: Path, parts: list[CadPart], leave_out: Sequence[str], report: ImportReport) -> list[CadPart]:
    """Parts of the model. Parts without a volume must be left out."""
    if isinstance(leave_out, str):
        leave_out = (leave_out,)
    gone = {id(part) for pattern in leave_out for part in matching(parts, pattern, f"{file}: leave_out")}
    for part in parts:
        if id(part) in gone:
            report.add("ignored", f'part "{part.name}" (left out)')
    left = [part for part in parts if id(part) not in gone]
    if not left:
        raise ExchangeError(f"{file}: all parts are left out")
    return left


def _groups(file: Path, parts: list[CadPart], bodies: Mapping[str, Sequence[str]]) -> dict[str, list[CadPart]]:
    """Parts of each body, the first part first."""
    if not isinstance(bodies, Mapping):
        raise ExchangeError(f'{file}: bodies must be a table {{"arm": ["link*", "motor"]}}, got {shown(bodies)}')
    owner: dict[int, str] = {}
    groups: dict[str, list[CadPart]] = {}
    for body, patterns in bodies.items():
        listed = [patterns] if isinstance(patterns, str) else patterns
        if not isinstance(listed, Sequence) or not listed:
            raise ExchangeError(f'{file}: body "{body}": specify names of parts, got {shown(patterns)}')
        for pattern in listed:
            for part in matching(parts, pattern, f'{file}: body "{body}"'):
                if owner.setdefault(id(part), body) != body:
                    raise ExchangeError(
                        f'{file}: part "{part.name}" belongs to the bodies "{owner[id(part)]}" and "{body}"; '
                        "change the patterns of one of them"
                    )
                group = groups.setdefault(body, [])
                if not any(part is one for one in group):
                    group.append(part)
    for part in parts:
        if id(part) not in owner:
            if part.name in groups:
                raise ExchangeError(
                    f'{file}: the name "{part.name}" of a body is also that of a part that does not belong to it. '
                    "Choose another name"
                )
            groups[part.name] = [part]
    return groups


class _Solids:
    """Mass properties of parts by the densities of the user and of the file."""

    def __init__(
        self,
        file: Path,
        parts: list[CadPart],
        density: Any,
        materials: Patterns,
        masses: Patterns,
        report: ImportReport,
    ) -> None:
        self.file, self.report = file, report
        self.default = None if density is None else read_density(density, Subject(f"{file}"))
        self.densities: dict[int, tuple[str, float]] = {}
        self.masses: dict[int, tuple[str, Any]] = {}
        for pattern, value in _table(materials, "materials", file).items():
            rho = read_density(value, Subject(f'{file}: materials "{pattern}"'))
            for part in matching(parts, pattern, f"{file}: materials"):
                self.densities.setdefault(id(part), (pattern, rho))
        for pattern, value in _table(masses, "masses", file).items():
            for part in matching(parts, pattern, f"{file}: masses"):
                self.masses.setdefault(id(part), (pattern, value))
        self.parts = parts
        missing = [part for part in parts if np.isfinite(part.volume) and self._density(part) is None]
        self.missing = [part for part in missing if id(part) not in self.masses]

    def _density(self, part: CadPart) -> float | None:
        if id(part) in self.densities:
            return self.densities[id(part)][1]
        return part.density if part.density is not None else self.default

    def of(self, part: CadPart) -> MassProperties:
        """Mass properties in the axes of the part."""
        if not np.isfinite(part.volume):
            raise ExchangeError(
                f'{self.file}: part "{part.name}": {part.density_problem}, or leave the part out: '
                f'leave_out=["{part.name}"]. A part of the body "ground" is only drawn'
            )
        if id(part) in self.masses:
            _, mass = self.masses[id(part)]
            return part.mass_properties(mass=mass)
        rho = self._density(part)
        if rho is None:
            count = len(self.missing)
            names = ", ".join(f'"{one.name}"' for one in self.missing[:8]) + (" ..." if count > 8 else "")
            why = f" ({part.density_problem})" if part.density_problem else ""
            parts = "1 part" if count == 1 else f"{count} parts"
            raise ExchangeError(
                f'{self.file}: no density for {parts}: {names}{why}. Specify density="7850 kg/m^3" for '
                'all of them, or materials={"' + part.name + '": "7850 kg/m^3"}'
            )
        return part.mass_properties(rho)

    def check_used(self) -> None:
        """Report densities of the file that were replaced."""
        for part in self.parts:
            if part.density is not None and id(part) in self.densities:
                pattern, rho = self.densities[id(part)]
                if rho != part.density:
                    self.report.add(
                        "used",
                        f'part "{part.name}": {rho:g} kg/m^3 of "{pattern}" instead of {part.density:g} kg/m^3 in the file',
                    )


def _table(value: Any, name: str, file: Path) -> Patterns:
    if not isinstance(value, Mapping):
        raise ExchangeError(f'{file}: {name} must be a table such as {{"wheel*": ...}}, got {shown(value)}')
    return value
