"""signals_of: the signals of analyses of a model, without running them."""

from collections.abc import Iterator

import numpy as np

from ..arguments import names_wrong_arguments
from ..elements.body import BODY
from ..elements.contract import ElementKind, SignalSpec
from ..elements.coordinate import COORDINATE
from ..elements.declared_kind import kind_of, number_of_coordinates, published_signals
from ..elements.flank_mesh import FLANK_MESH
from ..elements.gear_mesh import GEAR_MESH, RACK_SIGNALS
from ..elements.mesh_report import published
from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..elements.sticking_mesh import STICKING_MESH
from ..model import Model
from ..model.gear_mesh import GearMesh
from ..model.meshes import Flank, Loaded
from .joint_elements import COORDINATE_SIGNALS, joint_elements
from .load_elements import Signals, drive_signals, load_signals
from .station_signals import station_specs

__all__ = ["ENERGIES", "ORIENTATION", "TEETH_ENERGY", "component_names", "signals_of"]

ORIENTATION = SignalSpec("orientation", "1", "orientation of the body, quaternion", 4)
ENERGIES = (
    SignalSpec("kinetic", "J", "kinetic energy"),
    SignalSpec("potential", "J", "potential energy of gravity and springs"),
    SignalSpec("work", "J", "work done by drives and loads since the start"),
    SignalSpec("dissipated", "J", "energy dissipated since the start"),
    SignalSpec(
        "balance_error", "J", "change of energy that work and dissipation do not explain: error of the integration"
    ),
)
TEETH_ENERGY = SignalSpec("teeth", "J", "work done by tooth forces without a potential, included in the work")
_COMPONENTS: dict[int, tuple[str, ...]] = {1: (), 3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}
_EVERY: Signals = (None, {})
_PLACED = np.zeros(3), np.eye(3)


@names_wrong_arguments
def signals_of(model: Model, *, energies: bool = True) -> dict[str, SignalSpec]:
    """List the signals of a model by name, "item.signal", with unit, meaning and number of components.

    Nothing is computed: tables of loaded teeth and finite elements are not needed.

    Parameters
    ----------
    model
        Model.
    energies
        Whether to include those of the whole model, `energy.*`, which `dynamics` has but `statics` and `kinematics` do not.
        Default True.
    """
    found: dict[str, SignalSpec] = {}
    for part, kind, (names, rename) in _parts(model):
        for spec in kind.signals:
            if names is None or spec.name in names:
                spec = rename.get(spec.name, spec)
                found[f"{part}.{spec.name}"] = spec
        if kind is BODY:
            found[f"{part}.{ORIENTATION.name}"] = ORIENTATION
    for structure in model.structures.values():
        found |= {f"{part}.{spec.name}": spec for part, spec in station_specs(structure)}
    for name, element in model.elements.items():
        world = {key: model.placed(frame) for key, frame in element.frames.items()}
        for c in kind_of(type(element)).coordinates:
            size = number_of_coordinates(element, c, world)
            rate = [SignalSpec(f"{c.name}_rate", f"{c.unit}/s", f"rate: {c.description}", size)] if c.order == 2 else []
            for spec in [SignalSpec(c.name, c.unit, c.description, size), *rate]:
                if size and not c.condensed:
                    found.setdefault(f"{name}.{spec.name}", spec)
    if energies:
        found |= {f"energy.{spec.name}": spec for spec in (*ENERGIES, TEETH_ENERGY)}
    return found


def component_names(size: int) -> tuple[str, ...]:
    """Names of the components of a signal with this size; none for a scalar."""
    known = _COMPONENTS.get(size)
    return tuple(map(str, range(size))) if known is None else known


def _parts(model: Model) -> Iterator[tuple[str, ElementKind, Signals]]:
    for name in model.bodies:
        yield name, BODY, _EVERY
    for joint in model.joints.values():
        for element in joint_elements(joint, (0, 1), _PLACED, _PLACED, helix_offset=0.0):
            yield joint.name, element.kind, (element.signals, element.rename)
        yield joint.name, COORDINATE, (tuple(s for c in joint.coordinates for s in COORDINATE_SIGNALS[c]), {})
    for pair in model.gear_pairs.values():
        yield pair.name, *_mesh(pair)
    for drive in model.drives.values():
        yield drive.name, SCALAR_CONSTRAINT, drive_signals(drive)
    for load in model.loads.values():
        yield load.name, *load_signals(load)
    for part in model.elements.values():
        yield part.name, kind_of(type(part)), (published_signals(part), {})


def _mesh(pair: GearMesh) -> tuple[ElementKind, Signals]:
    mesh, law = pair.mesh, pair.known_law
    kind = FLANK_MESH if isinstance(mesh, Flank) else STICKING_MESH if law.sticks else GEAR_MESH
    tabled = tilted = False
    face_loads = (
        isinstance(mesh, Flank)
        or law.tilt_width > 0.0
        or (law.line_width > 0.0 and law.smoothing == 0.0 and not law.rigid)
    )
    if isinstance(mesh, Loaded):
        tabled, tilted = True, mesh.tilts is not None
        face_loads = mesh.computed or mesh.face_load_factor is not None
    names = published(
        kind.signals, pair.alignment.pitch.Z[:, 0], tabled=tabled, tilted=tilted, face_loads=face_loads,
        impacts=law.rigid and law.backlash > 0.0, line=law.line_width > 0.0,
    )  # fmt: skip
    return kind, (names, RACK_SIGNALS if pair.alignment.pitch.is_rack else {})
