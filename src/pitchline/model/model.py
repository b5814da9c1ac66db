"""Model: description of a machine."""

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
from .flank_seats import seat_warnings
from .friction_methods import FrictionMethods
from .gear_methods import GearMethods
from .masses import mean_place, total_mass
from .membrane_methods import MembraneMethods
from .motor_methods import MotorMethods
from .replaced import Part, replaced
from .ring_warnings import ring_warnings
from .sensor_methods import SensorMethods
from .shaft_warnings import shaft_warnings
from .shared_flanks import shared_body_warnings
from .speed_load_methods import SpeedLoadMethods
from .spring_methods import SpringMethods
from .train_assembly import assembly_warnings
from .transmission_methods import TransmissionMethods
from .types import Vector

__all__ = ["Model"]


@names_wrong_arguments
class Model(
    CouplingMethods,
    FrictionMethods,
    SpringMethods,
    GearMethods,
    CamMethods,
    MembraneMethods,
    BearingMethods,
    SensorMethods,
    MotorMethods,
    SpeedLoadMethods,
    TransmissionMethods,
):
    """Description of a machine: bodies, shafts, beams, joints, drives, loads, bearings, wheels, gear pairs and elements.

    Every method makes one part, checks it and keeps it under its name. If the arguments are wrong, it raises a `ModelError`
    immediately, and the model does not change. Numbers are in SI; texts such as "2 mm" have a unit.

    Parameters
    ----------
    name
        Name of the model.
    gravity
        Gravitational acceleration in world axes [m/s^2]. Default: none.
    plane
        "xy", "yz" or "zx": planar model. All bodies move parallel to this plane, with two translations and one rotation. Motions or
        loads out of the plane are an error. Joints act only within the plane, and positions along its normal have no effect.
        Default: motion in space.

    Attributes
    ----------
    ground : Body
        The world, to which joints and loads may connect.
    plane : Plane | None
    bodies, structures, shafts, beams, flexible_bodies, membranes, joints, drives, loads, wheels, gear_pairs, elements
        Mappings by name, in the order in which the parts were made; read-only.
    """

    def __init__(self, name: str, *, gravity: Vector = (0.0, 0.0, 0.0), plane: str | None = None) -> None:
        super().__init__(name, gravity=gravity, plane=plane)

    def check(self) -> None:
        """Check the whole model. Raise one ModelError that lists every problem."""
        known = self._of_parts()
        if "checked" in known:
            return
        problems = find_problems(self)
        if problems:
            raise ModelError(problems, title=f'model "{self.name}" has problems')
        if not self.elements:  # checks of elements may read other data than the parts of the model
            known["checked"] = True

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about gear pairs, shafts and elements; one sentence each."""
        of_pairs = (text for pair in self.gear_pairs.values() for text in pair.warnings)
        of_parts = (*eccentric_warnings(self), *shaft_warnings(self), *ring_warnings(self), *element_warnings(self))
        return (*of_pairs, *shared_body_warnings(self), *seat_warnings(self), *assembly_warnings(self), *of_parts)

    @property
    def mass(self) -> float:
        """Total mass of all bodies, wheels, shafts, beams, flexible bodies and attached masses [kg]."""
        return total_mass(self)

    @property
    def centre_of_mass(self) -> Array:
        """Centre of mass of the whole model in the initial pose, world axes (3,) [m]; the origin if the model has no mass."""
        return mean_place(self)

    def replaced(self, *parts: Part, without: str | Iterable[str] = ()) -> Model:
        """Return a copy of the model in which some parts are replaced, added or removed. This model does not change.

        Parameters
        ----------
        parts
            Bodies, joints, drives, loads, wheels, gear pairs, elements, shafts or beams. Each replaces the part of the same
            name. A part with a new name is added. `dataclasses.replace` makes a changed part:
            ``m.replaced(replace(m.loads["spring"], stiffness=2e5))``. Elements, shafts and beams have a method `replaced`.
        without
            Name or names of parts to remove. A wheel that was made with its body is removed with the body, stations with their
            shaft.

        The copy shares its parts with this model and has its own mappings, so that parts can be added to either model. If a
        part refers to a removed part, a `ModelError` names both. Frames on a replaced body keep their position on the new
        body. A gear pair depends on the inertias and poses of its bodies: remove it with them, and make it again in the copy.
        """
        return replaced(self, parts, without)

    def summary(self) -> str:
        """Return a readable text with one line for each part."""
        return summary(self)

    def describe(self) -> dict[str, Any]:
        """Return the complete model as plain data for JSON (callables as their repr)."""
        return describe(self)

    def view(self, **options: Any) -> Any:
        """Show the model in a page, a `View`.

        Parameters
        ----------
        options
            Options of `pitchline.view`.
        """
        return thing_viewer()(self, **options)

    def plot_state(self, *, path: str | Path | None = None, **options: Any) -> Any:
        """Draw the model as built as a solid picture; options as in `pitchline.views.plot_state`."""
        return load_views().plot_state(self, path=path, **options)

    def to_toml(self, path: str | Path | None = None, *, overwrite: bool = False) -> str:
        """Return the model as the text of a model file. `load` makes the same model from it.

        Python callables cannot be written. The ModelError names all of them.

        Parameters
        ----------
        path
            File to write. Optional. If writing fails, no incomplete file remains.
        overwrite
            Whether an existing file is replaced. Default False.
        """
        return model_writer()(self, path, overwrite=overwrite)

    def __repr__(self) -> str:
        pairs = f", {len(self.gear_pairs)} gear pairs" if self.gear_pairs else ""
        return f"Model({self.name!r}: {len(self.bodies)} bodies, {len(self.joints)} joints{pairs})"
