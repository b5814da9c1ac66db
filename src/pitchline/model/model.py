"""Model: what the user says about a machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..arguments import names_wrong_arguments
from ..disk.model_writer import model_writer
from ..disk.thing_viewer import thing_viewer
from ..disk.views_loader import load_views
from ..errors import ModelError
from ..solids.rotations import Array
from .bearing_methods import BearingMethods
from .cam_methods import CamMethods
from .checks import find_problems
from .coupling_methods import CouplingMethods
from .describe import describe, summary
from .eccentric import eccentric_warnings
from .element_checks import element_warnings
from .gear_methods import GearMethods
from .joint_methods import JointMethods
from .load_methods import LoadMethods
from .masses import mean_place, total_mass
from .replaced import Part, replaced
from .shaft_warnings import shaft_warnings
from .structure_methods import StructureMethods
from .types import Vector

__all__ = ["Model"]


@names_wrong_arguments
class Model(CouplingMethods, JointMethods, LoadMethods, GearMethods, CamMethods, StructureMethods, BearingMethods):
    """A machine as the user says it: bodies, shafts and beams, joints, drives, loads, bearings, wheels, gear pairs and elements.

    Every method makes one part, checks it and keeps it under its name; what is wrong is a `ModelError` at
    once and leaves the model as it was. Numbers are SI; texts such as "2 mm" carry their unit.

    Parameters
    ----------
    name
        Of the model.
    gravity
        Acceleration in world axes [m/s^2]; none by default.
    plane
        "xy", "yz" or "zx": all bodies move in parallels of this plane, each with two translations and one rotation. What
        would leave it is an error, and of joints only what they do within it counts; heights above it do not matter.

    Attributes
    ----------
    ground : Body
        The world, to which joints and loads may connect.
    plane : Plane | None
    bodies, structures, shafts, beams, joints, drives, loads, wheels, gear_pairs, elements
        Mappings by name, in the order in which they were said; read-only.
    """

    def __init__(self, name: str, *, gravity: Vector = (0.0, 0.0, 0.0), plane: str | None = None) -> None:
        super().__init__(name, gravity=gravity, plane=plane)

    def check(self) -> None:
        """Raise one ModelError that lists every problem of the whole model; return where there is none."""
        problems = find_problems(self)
        if problems:
            raise ModelError(problems, title=f'model "{self.name}" has problems')

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is possible but questionable: in the geometry of the gear pairs, in how they stand and run, in shafts and elements;
        one sentence each."""
        of_pairs = (text for pair in self.gear_pairs.values() for text in pair.warnings)
        return (*of_pairs, *eccentric_warnings(self), *shaft_warnings(self), *element_warnings(self))

    @property
    def mass(self) -> float:
        """Of all bodies, wheels, shafts, beams, flexible bodies and attached masses [kg]."""
        return total_mass(self)

    @property
    def centre_of_mass(self) -> Array:
        """Of the whole model in the initial pose, world axes (3,) [m]; the origin if nothing has a mass."""
        return mean_place(self)

    def replaced(self, *parts: Part, without: str | Iterable[str] = ()) -> Model:
        """A copy of the model in which some parts are replaced, added or left out; this model stays as it is.

        Parameters
        ----------
        parts
            Bodies, joints, drives, loads, wheels, gear pairs, elements, shafts or beams. Each takes the place of the part with its
            name; one with a new name is added. `dataclasses.replace` makes a changed part:
            ``m.replaced(replace(m.loads["spring"], stiffness=2e5))``; of elements, shafts and beams their own `replaced`.
        without
            Name or names of parts to leave out. A wheel that was made with its body is left out with it, stations with their shaft.

        The copy shares its parts with this model and has mappings of its own, so that either may be given further parts. A
        part that refers to one that is left out is a `ModelError` that names both. Frames on a body that is replaced keep
        their place on the new one; a gear pair depends on the inertias and poses of its bodies, so leave it out with them
        and make it anew in the copy.
        """
        return replaced(self, parts, without)

    def summary(self) -> str:
        """A readable text, one line per part."""
        return summary(self)

    def describe(self) -> dict[str, Any]:
        """Everything the model says, as plain data for JSON (callables by their repr)."""
        return describe(self)

    def view(self, **options: Any) -> Any:
        """Show the model as it is built in a page, a `View`; options as in `pitchline.view`."""
        return thing_viewer()(self, **options)

    def plot_state(self, *, path: str | Path | None = None, **options: Any) -> Any:
        """Draw the model as built as a solid picture; options as in `pitchline.views.plot_state`."""
        return load_views().plot_state(self, path=path, **options)

    def to_toml(self, path: str | Path | None = None, *, overwrite: bool = False) -> str:
        """The model as the text of a model file, from which `load` makes the same model again.

        path: file to write, complete or not at all; one that exists is left alone unless `overwrite` says so.
        Python callables cannot be written: the ModelError names every one.
        """
        return model_writer()(self, path, overwrite=overwrite)

    def __repr__(self) -> str:
        pairs = f", {len(self.gear_pairs)} gear pairs" if self.gear_pairs else ""
        return f"Model({self.name!r}: {len(self.bodies)} bodies, {len(self.joints)} joints{pairs})"
