"""Bodies of a model from the parts of a STEP file, and points on the faces of a part."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.progress.display import note, stage
from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME
from pitchline.errors import Subject, shown
from pitchline.model.model import Model
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.solids.mass_properties import (
    NO_SHAPE,
    MassProperties,
    Shape,
    ShapePiece,
    TriangleMesh,
    rotated,
    shaped,
    shifted,
)
from pitchline.units.quantity import quantity

from ..mass_table import Imported, ImportReport, Kind
from ..safe_xml import MOST_BYTES, ExchangeError, file_bytes
from .part21 import FileDensity, check_text, densities, placements_problem
from .reading import CadProcess, kernel_version, matching, need_kernel, unique_names

__all__ = [
    "CadPart",
    "cad_parts",
    "read_density",
    "from_step",
    "import_step",
    "flank_faces",
    "parts_of",
    "solid_problem",
]


# ---- parts

# Parts of a STEP file: name, placement, volume, mass properties and shape.

MM = 1e-3
"""Lengths of the CAD kernel are in mm."""
TIME_LIMIT = 300.0
ANGLE = math.radians(15.0)


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class CadPart:
    """One part of a CAD assembly, at one place.

    Attributes
    ----------
    name : str
        Unique in the file.
    product : str
        Name of the part in the file; the same for repeated instances.
    path : tuple of str
        Names of the assemblies that contain it, from the top, and of the instance.
    position, orientation : (3,), (3, 3)
        Placement: origin [m], and columns that are the axes of the part.
    volume : float
        [m^3]
    centre : (3,)
        Centre of the volume in the axes of the part [m].
    second_moment : (3, 3)
        Inertia about the centre for density 1, in the axes of the part [m^5].
    material : str
        Name of the material in the file, "" without one.
    density : float or None
        Density in the file [kg/m^3].
    shape : Shape
        Triangles in the axes of the part, with the colours of the file.
    notes : tuple of str
        What was assumed or left out in reading.
    density_problem : str
        Why the part has no density or no volume, "" otherwise.
    """

    name: str
    product: str
    path: tuple[str, ...]
    position: FloatArray
    orientation: FloatArray
    volume: float
    centre: FloatArray
    second_moment: FloatArray
    material: str = ""
    density: float | None = None
    shape: Shape = NO_SHAPE
    notes: tuple[str, ...] = ()
    density_problem: str = field(default="", repr=False)

    @property
    def known_as(self) -> tuple[str, ...]:
        """Texts that a pattern may fit: name, product, path with slashes, material."""
        texts = (self.name, self.product, self.path[-1], "/".join(self.path), self.material)
        return tuple(dict.fromkeys(text for text in texts if text))

    def mass_properties(self, density: Any = None, *, mass: Any = None) -> MassProperties:
        """Mass, centre of mass and inertia in the axes of the part, with its shape, for ``m.body(solid=...)``.

        Parameters
        ----------
        density
            [kg/m^3], or a `Material`. Default: that of the file.
        mass
            Instead of the density: total mass [kg], evenly distributed.
        """
        what = Subject(f'part "{self.name}"')
        if density is not None and mass is not None:
            raise ExchangeError(f"{what}: specify density or mass, not both")
        if mass is not None:
            kilograms = quantity(mass, "mass", what=what / "mass")
            if kilograms <= 0.0:
                raise ExchangeError(f"{what}: mass must be greater than zero, got {kilograms:g} kg")
            rho = kilograms / self.volume
        else:
            given = self.density if density is None else read_density(density, what)
            if given is None:
                why = f" ({self.density_problem})" if self.density_problem else ""
                raise ExchangeError(f'{what}: no density{why}. Specify density="7850 kg/m^3" or a material')
            rho = given
        inertia = rho * self.second_moment
        return shaped(MassProperties(rho * self.volume, self.centre, (inertia + inertia.T) / 2, what=what), self.shape)

    def __repr__(self) -> str:
        return (
            f'CadPart("{self.name}", {1e6 * self.volume:.6g} cm^3, at {np.round(1e3 * self.position, 3).tolist()} mm)'
        )


def read_density(value: object, what: Subject) -> float:
    """Density [kg/m^3] of a material or a quantity."""
    rho = value.density if isinstance(value, Material) else quantity(value, "density", what=what / "density")
    if not rho > 0.0:
        raise ExchangeError(f"{what}: density must be greater than zero, got {rho:g} kg/m^3")
    return float(rho)


@names_wrong_arguments
def cad_parts(
    path: str | Path,
    *,
    shapes: bool = True,
    tolerance: Any = None,
    angle: Any = ANGLE,
    time_limit: Any = TIME_LIMIT,
    reader: CadProcess | None = None,
) -> list[CadPart]:
    """All parts of a STEP file, each instance by itself, in the order of the file. Needs the extra ``cad``.

    Parameters
    ----------
    path
        STEP file (.step, .stp) of a part or an assembly. Units of length are converted.
    shapes
        If False, parts have no shapes for pictures.
    tolerance
        Largest distance between triangles and the true surface [m]. Default: 0.2 % of the size of the part.
    angle
        Largest angle between neighbouring triangles [rad]. Default 15 deg.
    time_limit
        For the CAD kernel [s]. Default 300 s.
    reader
        Process to use, for many files. Default: a new one.
    """
    file = Path(path).expanduser()
    what = Subject("cad_parts")
    coarse = None if tolerance is None else quantity(tolerance, "length", what=what / "tolerance") / MM
    turn = quantity(angle, "angle", what=what / "angle")
    seconds = quantity(time_limit, "time", what=what / "time_limit")
    for name, value, unit in (("tolerance", coarse, "mm"), ("angle", turn, "rad"), ("time_limit", seconds, "s")):
        if value is not None and not 0.0 < value < 1e9:
            raise ExchangeError(f"{what}: {name} must be greater than zero, got {value:g} {unit}")
    data = file_bytes(file, most=MOST_BYTES)
    problem = check_text(data)
    if problem is not None:
        raise ExchangeError(f"{file}: the file {problem}")
    need_kernel()
    problem = placements_problem(data, kernel_version())
    if problem is not None:
        raise ExchangeError(f"{file}: the file {problem}")
    stated = densities(data)
    del data
    request = {"shapes": bool(shapes), "tolerance": coarse, "angle": turn}
    with stage(f"reading {file.name}"):
        if reader is not None:
            head, arrays = reader.read(file, seconds=seconds, **request)
        else:
            with CadProcess() as own:
                head, arrays = own.read(file, seconds=seconds, **request)
    pass

    return parts_of(file, head, arrays, stated)


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
    from pitchline.files.schema import shape_files

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


# ---- flank faces

# Faces of a STEP file as points, for flanks of gears.

_SAMPLES = 24
"""Points along both parameters of a face."""


def flank_faces(path: str | Path) -> list[npt.NDArray[np.float64]]:
    """Points (n, 3) [m] on each face of a STEP file, in the axes of the file. Needs the extra ``cad``."""
    file = Path(path).expanduser()
    data = file_bytes(file, most=MOST_BYTES)
    problem = check_text(data)
    if problem is not None:
        raise ExchangeError(f"{file}: the file {problem}")
    need_kernel()
    problem = placements_problem(data, kernel_version())
    if problem is not None:
        raise ExchangeError(f"{file}: the file {problem}")
    del data
    with stage(f"reading {file.name}"), CadProcess() as reader:
        _, arrays = reader.read(file, seconds=TIME_LIMIT, face_samples=_SAMPLES)
    return [MM * points for points in arrays.values() if len(points)]


# ---- part building

# Parts from the answer of the reading process: names, placement, checks, shapes.

SURFACE_ERROR = 0.05
"""Largest difference of the volume inside the triangles from that of the solid, relative, besides their tolerance."""
INTEGRATION_ERROR = 1e-4
"""Largest relative difference of two integrations of the volume."""


def parts_of(
    file: Path, head: dict[str, Any], arrays: Mapping[str, FloatArray], stated: Mapping[str, FileDensity]
) -> list[CadPart]:
    instances, definitions = head["instances"], head["definitions"]
    if not instances:
        raise ExchangeError(f"{file}: the file has no parts")
    products = [definitions[one["definition"]]["name"] for one in instances]
    parents = [one["path"][-2] if len(one["path"]) > 2 else "" for one in instances]
    names = unique_names(products, [one.get("instance", "") for one in instances], parents)
    stem = _file_stem(file.stem)
    made: dict[str, CadPart] = {}
    parts = []
    for name, one in zip(names, instances, strict=True):
        key = one["definition"]
        if key not in made:
            made[key] = _definition(file, name, definitions[key], arrays, stated, stem, len(made) + 1)
        part = replace(made[key], name=name, path=tuple(one["path"]))
        if one["colour"]:
            shape = Shape(
                tuple(replace(p, colour=p.colour if _own(p, made[key]) else one["colour"]) for p in part.shape.pieces)
            )
            part = replace(part, shape=shape)
        parts.append(_placed(file, part, np.array(one["placement"])))
    return parts


def _own(piece: ShapePiece, part: CadPart) -> bool:
    """Whether a piece has the colour of its faces, not that of the whole part."""
    return len({each.colour for each in part.shape.pieces}) > 1 and piece.colour is not None


def _definition(
    file: Path, name: str, data: dict[str, Any], arrays: Mapping[str, FloatArray], stated: Mapping[str, FileDensity],
    stem: str, number: int,
) -> CadPart:  # fmt: skip
    """A part in its own axes. Lengths of `data` are in mm."""
    corners = {piece["array"]: arrays[piece["array"]] for piece in data["pieces"]}
    problem = solid_problem(data, list(corners.values()))
    density = stated.get(data["name"], FileDensity())
    notes = []
    if density.assumed:
        notes.append(f"assumed: {density.assumed}")
    if data["loose"]:
        notes.append(f"{data['loose']} faces that belong to no solid have no mass")
    pieces = []
    for k, piece in enumerate(data["pieces"]):
        mesh = TriangleMesh.from_corners(corners[piece["array"]].astype(np.float32))
        if not len(mesh.triangles):
            continue
        title = f"{stem}_{_file_stem(data['name']) or 'part'}_{number}" + (
            f"_{k + 1}" if len(data["pieces"]) > 1 else ""
        )
        colour = piece["colour"] or data["colour"] or None
        pieces.append(
            ShapePiece("mesh", {"scale": MM, "file": f"{title}.stl"}, np.zeros(3), np.eye(3), mesh, None, colour)
        )
    return CadPart(
        name, data["name"] or name, (), np.zeros(3), np.eye(3),
        data["volume"] * MM**3, MM * np.array(data["centre"]), MM**5 * np.array(data["inertia"]),
        density.material, density.density, Shape(tuple(pieces)), tuple(notes), density.problem,
    ) if problem is None else _without_volume(name, data, problem, pieces)  # fmt: skip


def _without_volume(name: str, data: dict[str, Any], problem: str, pieces: list[ShapePiece]) -> CadPart:
    """A part that has no mass: it can be left out, or only drawn."""
    none = np.full((3, 3), np.nan)
    return CadPart(
        name, data["name"] or name, (), np.zeros(3), np.eye(3), math.nan, none[0], none, shape=Shape(tuple(pieces)),
        density_problem=problem,
    )  # fmt: skip


def solid_problem(data: dict[str, Any], corners: list[FloatArray]) -> str | None:
    """Why a part has no mass properties, or None."""
    if data["solids"] == 0:
        return "it has no solid, only surfaces, curves or points. Export it as a solid"
    if data["open"]:
        return "its surface is open, so that it encloses no volume. Repair it in the CAD program"
    if data["negative"] or not data["volume"] > 0.0:
        return f"its volume is not positive, {data['volume']:.6g} mm^3. Repair it in the CAD program"
    if not np.isfinite([data["volume"], *data["centre"], *np.ravel(data["inertia"])]).all():
        return "its volume is not a finite number. Repair it in the CAD program"
    if data["difference"] > INTEGRATION_ERROR:
        return (
            f"two integrations of its volume differ by {100 * data['difference']:.2g} %: its surface is damaged. "
            "Repair it in the CAD program"
        )
    inside = sum(float(np.einsum("ni,ni->", x[:, 0], np.cross(x[:, 1], x[:, 2]))) for x in corners) / 6.0
    allowed = SURFACE_ERROR * data["volume"] + data["area"] * data.get("tolerance", 0.0)
    if corners and not data["loose"] and abs(inside - data["volume"]) > allowed:
        return (
            f"its solid has {data['volume']:.6g} mm^3, but its triangles enclose {inside:.6g} mm^3: its surface is damaged. "
            "Repair it in the CAD program"
        )
    return None


def _placed(file: Path, part: CadPart, A: FloatArray) -> CadPart:
    """The part at its place. A mirrored part gets mirrored geometry."""
    L = A[:, :3]
    if not np.isfinite(A).all() or np.abs(L.T @ L - np.eye(3)).max() > 1e-6:
        raise ExchangeError(f'{file}: part "{part.name}": its placement is not a rotation and a displacement')
    mirror = np.diag([-1.0, 1.0, 1.0]) if np.linalg.det(L) < 0.0 else np.eye(3)
    U, _, V = np.linalg.svd(L @ mirror)
    if mirror[0, 0] < 0.0:
        part = replace(
            part,
            centre=mirror @ part.centre,
            second_moment=mirror @ part.second_moment @ mirror,
            shape=Shape(tuple(_mirrored(piece, mirror) for piece in part.shape.pieces)),
        )
    return replace(part, position=MM * A[:, 3], orientation=U @ V)


def _mirrored(piece: ShapePiece, mirror: FloatArray) -> ShapePiece:
    assert piece.mesh is not None
    corners = (piece.mesh.vertices @ mirror)[piece.mesh.triangles][:, [0, 2, 1]]
    sizes = {**piece.sizes, "file": str(piece.sizes["file"]).removesuffix(".stl") + "_mirrored.stl"}
    return replace(piece, mesh=TriangleMesh.from_corners(corners.astype(np.float32)), sizes=sizes)


def _file_stem(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_")[:60]
