"""Catalogue of the tables in model files: the callable of the Python API for each kind of table, and its arguments.

Keys of a table are the arguments of that callable, read from its signature. Files and Python therefore stay consistent.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from pitchline.declare.signal_expression import SignalExpression
from pitchline.errors import near_names, shown
from pitchline.fem.elastic_gear import rigid_gear
from pitchline.fem.own_mesh.gear_solid import MeshedGear
from pitchline.fem.sector_grid import sector_grid
from pitchline.fem.sector_surfaces import surface_sector_grid
from pitchline.functions.piecewise import Constant, Fourier, Harmonic, PiecewisePolynomial
from pitchline.functions.polynomial import Polynomial, Sum
from pitchline.functions.sampled import Ramp, Table
from pitchline.model.model import Model
from pitchline.parts.bodies.part import KINDS, Body
from pitchline.parts.flexible.interface import Interface
from pitchline.parts.flexible.superelement import Superelement, read_superelement
from pitchline.parts.gears.geometry.gear import Gear, hypoid_pinion
from pitchline.parts.gears.geometry.inputs import GearBody, Hob, Material, Shaper
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.modifications.deviations import (
    Bias,
    DeviationGrid,
    FlankModifications,
    HelixSlope,
    LeadCrowning,
    PitchDeviation,
    PressureAngleSlope,
    ProfileCrowning,
)
from pitchline.parts.gears.modifications.relief import EndRelief, RootRelief, TipRelief
from pitchline.parts.gears.teeth.teeth import Teeth
from pitchline.parts.membranes.mesh import MembraneMesh
from pitchline.parts.meshes.laws.common import FrictionTable, Stribeck
from pitchline.parts.meshes.laws.elastic import Elastic, Rigid, Rolling
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.laws.loaded import Loaded
from pitchline.parts.meshes.laws.varying import Varying
from pitchline.parts.planetary.layout import Support
from pitchline.parts.planetary.part import planetary
from pitchline.parts.shafts.sections import BeamSection, ShaftSection
from pitchline.solids.mass_properties import MassProperties, Shape
from pitchline.solids.stl_solid import bar, cone, cylinder, sphere, stl, tube

from .key_lines import Path

if TYPE_CHECKING:
    from .values import Values

__all__ = [
    "BEAM",
    "BEAM_SECTIONS",
    "BODY",
    "DRIVE",
    "ELEMENTS",
    "EXPRESSION",
    "FLANK_MODIFICATIONS",
    "FLEXIBLE_BODY",
    "FRAME",
    "FUNCTIONS",
    "GEARS",
    "GEAR_BODY",
    "GEAR_PAIR",
    "GEAR_SHAPE",
    "GEAR_SOLIDS",
    "GRID_FILE",
    "IMPORTED_FLANKS",
    "INTERFACE",
    "JOINTS",
    "LOADS",
    "LOOK",
    "MATERIAL",
    "MEMBRANE",
    "MEMBRANE_MESHES",
    "MESHES",
    "MODIFICATIONS",
    "MODULES",
    "OF_THE_GEAR",
    "PLANETARY",
    "SHAFT",
    "SHAFT_SECTION",
    "SOLIDS",
    "STRIBECK",
    "SUPERELEMENTS",
    "SUPPORT",
    "TOOLS",
    "TOP",
    "VARYING",
    "WHEEL",
    "Entry",
    "entry_of",
    "SolidValues",
]


_NOT_SAID = ("self", "name", "model", "what", "progress", "checkpoint", "checkpoint_seconds")


@dataclass(frozen=True)
class Entry:
    """One kind of table.

    call:      creates the object
    arguments: keys of the table and the parameters of the callable
    renamed:   keys with another name in Python
    """

    call: Callable[..., Any]
    arguments: Mapping[str, inspect.Parameter]
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def required(self) -> tuple[str, ...]:
        """Keys without default."""
        return tuple(key for key, parameter in self.arguments.items() if parameter.default is parameter.empty)

    def default(self, key: str) -> Any:
        return self.arguments[key].default


def entry_of(
    call: Callable[..., Any], *, also: tuple[str, ...] = (), never: tuple[str, ...] = (), **renamed: str
) -> Entry:
    """also, never: arguments that are always, or never, keys."""
    back = {there: here for here, there in renamed.items()}
    found = {
        back.get(name, name): parameter
        for name, parameter in inspect.signature(call).parameters.items()
        if name in also or (name not in (*_NOT_SAID, *never) and parameter.kind is not parameter.VAR_KEYWORD)
    }
    return Entry(call, found, renamed)


TOP = (
    "name", "description", "gravity", "plane", "include", "model", "parameters", "materials", "gears", "bodies", "shafts",
    "beams", "flexible_bodies", "membranes", "wheels", "planetary", "frames", "joints", "gear_pairs", "drives", "loads",
    "elements", "looks", "analyses", "figures", "plot", "fmu",
)  # fmt: skip
"""Keys at the top of a file; name, description, gravity and plane can also be in [model]."""

MATERIAL = entry_of(Material)


def _hypoid() -> Entry:
    """Hypoid pinion: data that do not follow from its wheel are specified as for any gear."""
    own = entry_of(hypoid_pinion).arguments
    angles = ("normal_pressure_angle", "helix_angle", "lead_angle", "cone_angle")
    decided = (*own, "normal_module", *angles, "starts", "internal", "worm")
    others = {key: p for key, p in entry_of(Gear).arguments.items() if key not in decided}
    return Entry(hypoid_pinion, {**own, **others})


GEARS = {"gear": entry_of(Gear), "rack": entry_of(Rack), "hypoid_pinion": _hypoid()}


def _by_module(call: Callable[..., Any], *more: str) -> Entry:
    """Gear with another module instead of the normal module; more: further optional keys."""
    arguments = {key: p for key, p in GEARS["gear"].arguments.items() if key != "normal_module"}
    further = {key: inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=None) for key in more}
    return Entry(call, {**arguments, **entry_of(call).arguments, **further})


def _elements() -> Entry:
    """Grid options of a gear: those of `sector_grid`, of racks, of gears with a rigid body, and of an own mesh."""
    own = entry_of(sector_grid, never=("teeth", "modified")).arguments
    others = {name: found.parameters[name] for name in ("rows", "lines") for found in [inspect.signature(rigid_gear)]}
    others["depth"] = inspect.signature(surface_sector_grid).parameters["depth"]
    others["body"] = inspect.Parameter("body", inspect.Parameter.KEYWORD_ONLY, default=None)
    mesh = {name: p.replace(default=None) for name, p in entry_of(MeshedGear).arguments.items()}
    return Entry(sector_grid, {**own, **others, **mesh})


MODULES = {
    "outer_module": _by_module(Gear.from_outer_module),
    "axial_module": _by_module(Gear.from_axial_module, "hand"),
}
BODY, GEAR_BODY, WHEEL = entry_of(Model.body), entry_of(Model.gear_body), entry_of(Model.wheel)
SHAFT, BEAM = entry_of(Model.shaft), entry_of(Model.beam)
FLEXIBLE_BODY, MEMBRANE = entry_of(Model.flexible_body), entry_of(Model.membrane)
MEMBRANE_MESHES = {
    "nodes": entry_of(MembraneMesh),
    "patch": entry_of(MembraneMesh.patch),
    "ring": entry_of(MembraneMesh.ring),
}
SUPERELEMENTS = {"file": entry_of(read_superelement, file="path"), "shape": entry_of(Superelement.from_shape)}
"""Flexible body from a file, or from a shape."""
INTERFACE = entry_of(Interface)
SHAFT_SECTION = entry_of(ShaftSection)
BEAM_SECTIONS = {
    "circle": entry_of(BeamSection.circle),
    "tube": entry_of(BeamSection.tube),
    "rectangle": entry_of(BeamSection.rectangle),
    "properties": entry_of(BeamSection.from_properties),
    "matrices": entry_of(BeamSection),
}
PLANETARY = entry_of(planetary)
SUPPORT = entry_of(Support)
FRAME = entry_of(Body.frame, also=("name",))
JOINTS = {kind: entry_of(getattr(Model, kind)) for kind in KINDS}
LOOK = entry_of(Model.look, never=("part",))
GEAR_PAIR, DRIVE = entry_of(Model.gear_pair), entry_of(Model.drive)
LOADS = {
    kind: entry_of(getattr(Model, kind))
    for kind in ("force", "torque", "spring", "string", "torsion_spring", "bushing", "stop")
}
SOLIDS = {
    "bar": entry_of(bar),
    "cone": entry_of(cone),
    "cylinder": entry_of(cylinder),
    "sphere": entry_of(sphere),
    "stl": entry_of(stl, file="path"),
    "tube": entry_of(tube),
    "mass_properties": entry_of(MassProperties),
}
"""Solids of bodies; without mass and density they are only shapes."""
GEAR_SOLIDS = ("blank", "elements")
"""Source of the solid of a gear: the outline of its teeth and its body, or its finite elements."""
OF_THE_GEAR = {
    key: "the teeth of a wheel and their modifications belong to its gear. Specify this key for the gear in [gears]"
    for key in ("modifications_a", "modifications_b", "teeth_a", "teeth_b", "modifications")
}
"""Keys that users may look for in a mesh, and what to do instead."""
MESHES = {
    "elastic": entry_of(Elastic),
    "loaded": entry_of(Loaded),
    "flank": entry_of(Flank),
    "rigid": entry_of(Rigid),
    "rolling": entry_of(Rolling),
}
MODIFICATIONS = {
    "tip_relief": entry_of(TipRelief),
    "root_relief": entry_of(RootRelief),
    "end_relief": entry_of(EndRelief),
    "profile_crowning": entry_of(ProfileCrowning),
    "lead_crowning": entry_of(LeadCrowning),
    "pressure_angle_slope": entry_of(PressureAngleSlope),
    "helix_slope": entry_of(HelixSlope),
    "bias": entry_of(Bias),
    "pitch_deviation": entry_of(PitchDeviation),
    "deviation_grid": entry_of(DeviationGrid),
}
GRID_FILE = entry_of(DeviationGrid.from_csv, file="path")
"""Measured flank in a separate file."""
FLANK_MODIFICATIONS = entry_of(FlankModifications)
"""Modifications of a gear: both flanks, one flank, and single teeth."""
IMPORTED_FLANKS = entry_of(Teeth.from_points, never=("gear",))
"""Flanks of a gear from points or files."""
TOOLS = {"hob": entry_of(Hob), "shaper": entry_of(Shaper)}
GEAR_SHAPE = entry_of(GearBody)
"""Gear body below the teeth."""
ELEMENTS = _elements()
"""Finite-element options of a gear."""
FUNCTIONS = {
    "constant": entry_of(Constant),
    "harmonic": entry_of(Harmonic),
    "fourier": entry_of(Fourier),
    "polynomial": entry_of(Polynomial),
    "ramp": entry_of(Ramp),
    "table": entry_of(Table, interpolation="kind"),
    "piecewise_polynomial": entry_of(PiecewisePolynomial),
    "sum": entry_of(Sum),
}
VARYING, STRIBECK, FRICTION_TABLE = entry_of(Varying), entry_of(Stribeck), entry_of(FrictionTable)
EXPRESSION = entry_of(SignalExpression, expression="text")
"""Formula over signals of the model."""


# ---- solid values

# Solids and shapes of model files: from tables by their kind, moved and rotated, or several combined.


class SolidValues:
    """Creates solids and shapes from tables. `data_file(path, name)` finds the files that tables name."""

    def __init__(self, values: Values, data_file: Callable[[Path, str], FilePath | str]) -> None:
        self.values, self.data_file = values, data_file

    def shape(self, value: Any, path: Path) -> Any:
        """Shape of an element: a table, or a list of tables."""
        if isinstance(value, list):
            return [self.solid(item, (*path, n)) for n, item in enumerate(value)]
        return self.solid(value, path)

    def solid(self, value: Any, path: Path) -> MassProperties | Shape:
        """Solid, moved and rotated; or a sum of several solids. Without mass and density it is a shape."""
        v = self.values
        also = ("kind", "moved", "turned", "colour")
        kind = v.kind(value, path, {**SOLIDS, "sum": None, "gear": None}, "solid")
        made: MassProperties | Shape
        if kind == "sum":
            made = self._summed(value, path)
        elif kind == "gear":
            made = self._blank(value, path)
        else:
            made = v.make(SOLIDS[kind], value, path, {"file": self._file}, also=also)
        for key, change in (("turned", "turned"), ("moved", "moved"), ("colour", "coloured")):
            if key in value:
                v.check_whole(value[key])
                made = v.call(getattr(made, change), {}, (*path, key), {}, value[key])
        return made

    def _file(self, value: Any, path: Path) -> FilePath:
        found = (
            self.data_file(path, value) if isinstance(value, str) else f"must be the name of a file, got {shown(value)}"
        )
        if isinstance(found, str):
            raise self.values.tell(path, found)
        return found

    def _blank(self, value: Mapping[str, Any], path: Path) -> MassProperties:
        """Blank of a gear, or the gear with its teeth."""
        v = self.values
        for key in set(value) - {"kind", "gear", "from", "moved", "turned", "colour"}:
            raise v.tell(
                (*path, key), f'unknown key "{key}"; the solid of a gear has the keys gear, from, moved and turned'
            )
        if "gear" not in value:
            raise v.tell(path, '"gear" is missing. Specify the gear')
        source = value.get("from", GEAR_SOLIDS[0])
        if source not in GEAR_SOLIDS:
            raise v.tell((*path, "from"), f"{shown(source)} is unknown; {near_names(str(source), GEAR_SOLIDS)}")
        gear = v.gear(value["gear"], (*path, "gear"))
        make = (lambda: gear.solid) if source == "blank" else (lambda: _with_teeth(gear))
        made: MassProperties = v.call(make, {}, path, {})
        return made

    def _summed(self, value: Mapping[str, Any], path: Path) -> MassProperties | Shape:
        v = self.values
        for key in set(value) - {"kind", "parts", "moved", "turned", "colour"}:
            raise v.tell(
                (*path, key), f'unknown key "{key}"; a sum of solids has the keys parts, moved, turned and colour'
            )
        parts = value.get("parts")
        if not isinstance(parts, list) or not parts:
            raise v.tell(path, f"a sum of solids needs the key parts with a list of solids, got {shown(parts)}")
        made = self.solid(parts[0], (*path, "parts", 0))
        for n, part in enumerate(parts[1:], 1):
            made = v.call(operator.add, {}, (*path, "parts", n), {}, made, self.solid(part, (*path, "parts", n)))
        return made


def _with_teeth(gear: Gear | Rack) -> MassProperties:
    from pitchline.fem.sector_surfaces import toothed_solid  # imports the compiled elements

    return toothed_solid(gear)
