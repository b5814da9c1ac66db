"""The model description: frozen, validated data without mechanics."""

from pitchline.declare.names import Frame
from pitchline.declare.structure import Station
from pitchline.functions.piecewise import Constant, Fourier, Function, Harmonic, PiecewisePolynomial
from pitchline.functions.polynomial import Polynomial, Sum
from pitchline.functions.sampled import Ramp, Sampled, Table, as_function
from pitchline.parts.bodies.part import KINDS, Body, Joint
from pitchline.parts.flexible.part import FlexibleBody
from pitchline.parts.gears.part import Wheel
from pitchline.parts.membranes.part import Membrane, MembraneNode
from pitchline.parts.meshes.force_law import MeshLaw
from pitchline.parts.meshes.laws import Mesh
from pitchline.parts.meshes.laws.common import FrictionTable, Stribeck
from pitchline.parts.meshes.laws.elastic import Elastic, Rigid, Rolling
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.laws.loaded import Loaded
from pitchline.parts.meshes.laws.varying import Varying
from pitchline.parts.meshes.part import GearMesh
from pitchline.parts.planetary.layout import LoadSharing, Phasing, Planetary, Support
from pitchline.parts.planetary.part import planetary
from pitchline.parts.shafts.beam import Beam
from pitchline.parts.shafts.part import Shaft
from pitchline.parts.springs.part import Bushing, Drive, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring
from pitchline.solids.mass_properties import MassProperties, Shape
from pitchline.solids.rotations import Rotation
from pitchline.solids.stl_solid import bar, cone, cylinder, sphere, stl, tube

from .model import Model

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
