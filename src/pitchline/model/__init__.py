"""The model description: frozen, validated data without mechanics."""

from ..solids import MassProperties, Rotation, Shape, bar, cone, cylinder, sphere, stl, tube
from .beam import Beam
from .body import Body
from .drives import Drive
from .flexible_body import FlexibleBody
from .frames import Frame
from .functions import (
    Constant,
    Fourier,
    Function,
    Harmonic,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Sampled,
    Sum,
    Table,
    as_function,
)
from .gear_mesh import GearMesh
from .joints import KINDS, Joint
from .loads import Bushing, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring
from .membrane import Membrane, MembraneNode
from .mesh_law import MeshLaw
from .meshes import Elastic, Flank, FrictionTable, Loaded, Mesh, Rigid, Rolling, Stribeck, Varying
from .model import Model
from .planetary import planetary
from .planetary_layout import Phasing
from .planetary_train import LoadSharing, Planetary, Support
from .shaft import Shaft
from .station import Station
from .wheels import Wheel

__all__ = [
    "KINDS",
    "Beam",
    "Body",
    "Bushing",
    "Constant",
    "Drive",
    "Elastic",
    "Force",
    "Flank",
    "Fourier",
    "Frame",
    "Function",
    "GearMesh",
    "Harmonic",
    "Joint",
    "JointLoad",
    "Load",
    "LoadSharing",
    "Loaded",
    "MassProperties",
    "Mesh",
    "MeshLaw",
    "Model",
    "Phasing",
    "PiecewisePolynomial",
    "Planetary",
    "Polynomial",
    "Ramp",
    "Rigid",
    "Rolling",
    "Rotation",
    "Sampled",
    "FlexibleBody",
    "Membrane",
    "MembraneNode",
    "Shaft",
    "Shape",
    "Spring",
    "Station",
    "Stop",
    "FrictionTable",
    "Stribeck",
    "Sum",
    "Support",
    "Table",
    "Torque",
    "TorsionSpring",
    "Varying",
    "Wheel",
    "as_function",
    "bar",
    "cone",
    "cylinder",
    "planetary",
    "sphere",
    "stl",
    "tube",
]
