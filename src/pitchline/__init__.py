"""pitchline: gears in three-dimensional multibody dynamics.

>>> import pitchline as pl
>>> m = pl.Model("pendulum", gravity=(0, 0, "-9.81 m/s^2"))
>>> rod = m.body("rod", solid=pl.bar("1 m", "2 cm", "2 cm", mass="1 kg"), position=("0.5 m", 0, 0))
>>> hinge = m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
>>> run = pl.dynamics(m, duration="1 s")

Modules are imported on first use. ``--help`` on the command line imports almost nothing.
"""

from . import startup

startup.begin()

# ruff: noqa: E402 - what follows takes time to import
import importlib
from typing import TYPE_CHECKING, Any

from .connections import connect
from .version import __version__ as __version__

if TYPE_CHECKING:
    from . import views
    from .analyses.campbell import campbell
    from .analyses.dynamics import dynamics, resume
    from .analyses.explicit_motion import explicit_motion
    from .analyses.flank_contact import flank_contact
    from .analyses.floquet import floquet
    from .analyses.frequency_response import frequency_response, linear_model
    from .analyses.gear_grid import gear_grid
    from .analyses.gear_modes import gear_modes
    from .analyses.joint_space import JointSpace
    from .analyses.kinematics import kinematics
    from .analyses.loaded_contact import loaded_contact
    from .analyses.modes import modes
    from .analyses.node_contact_motion import node_contact_motion
    from .analyses.part_quantities import energies, momentum
    from .analyses.penalty_motion import penalty_motion
    from .analyses.rigid_contact import rigid_contact
    from .analyses.robots import inverse_dynamics, jacobian, joint_dynamics, mass_matrix
    from .analyses.statics import statics
    from .analyses.stepper import Stepper
    from .analyses.stepper_state import StepperState
    from .beams.sections import BeamSection
    from .beams.shaft_section import ShaftSection
    from .bearings.ball_types import AngularContactBall, DeepGrooveBall
    from .bearings.inclined_roller_types import SphericalRoller, TaperedRoller
    from .bearings.roller_types import CylindricalRoller, NeedleRoller
    from .cams import CamProfile
    from .couplings import CardanJoint, ElasticCoupling, GearCoupling, Spline
    from .declared_elements.delay import Delay
    from .declared_elements.integral import Integral
    from .declared_elements.limiter import Deadband, Limiter
    from .declared_elements.lookup import Lookup
    from .declared_elements.lookup_2d import Lookup2D
    from .declared_elements.named_signal import NamedSignal
    from .declared_elements.pid import PID
    from .declared_elements.rate_limiter import RateLimiter
    from .declared_elements.relay import Relay
    from .declared_elements.sampled_law import SampledLaw
    from .declared_elements.sampled_pid import SampledPID
    from .declared_elements.sampled_transfer_function import SampledTransferFunction
    from .declared_elements.signal_filter import Filter
    from .declared_elements.transfer_function import TransferFunction
    from .errors import BudgetError, ModelError, PitchlineError, SolveError, UnitError
    from .exchange.fmi.export import ExportedFmu, export_fmu
    from .exchange.imported import ImportReport
    from .exchange.loop.fmu_element import fmu
    from .exchange.loop.python_program import python_controller
    from .exchange.mass_table import MassTablePart, read_mass_table
    from .exchange.measurements.reader import read_measurement
    from .exchange.measurements.tacho import tacho
    from .exchange.rexs.checking import check_rexs
    from .exchange.rexs.importing import from_rexs
    from .exchange.rexs.origin import RexsOrigin, rexs_origin
    from .exchange.rexs.reading import read_rexs
    from .exchange.rexs.to_rexs import to_rexs
    from .exchange.rexs.writing import write_rexs
    from .exchange.robots.mjcf import from_mjcf
    from .exchange.robots.urdf import from_urdf
    from .exchange.step.assembly import from_step
    from .exchange.step.parts import CadPart, cad_parts
    from .exchange.tooth_loads.load_results import ToothLoads
    from .exchange.tooth_loads.tooth_loads import tooth_loads
    from .fem import grid_quality, sector_grid, whole_gear
    from .fem.elastic_gear import ElasticGear, elastic_gear
    from .fem.gear_properties import toothed_solid
    from .fem.meshes.reading import solid_mesh
    from .fem.meshes.solid_mesh import SolidMesh
    from .fem.own_mesh.options import MeshedGear
    from .fem.own_mesh.whole_elastic_gear import WholeElasticGear
    from .fem.rigid_gear import rigid_gear
    from .files import FileError, ModelFile, gear_surface, write_grid
    from .files.loading import load
    from .gears import STEEL, Gear, GearBody, GearPair, Hob, Material, Rack, Shaper, data_sheet_text
    from .gears.assembly_errors import AssemblyErrors
    from .gears.surfaces import FlankPatch, SurfaceTeeth, surface_teeth, write_flank_points
    from .gears.teeth import (
        BevelTeeth,
        Bias,
        DeviationGrid,
        EndRelief,
        FlankModifications,
        HelixSlope,
        LeadCrowning,
        Modification,
        PitchDeviation,
        PressureAngleSlope,
        ProfileCrowning,
        RigidContact,
        RootRelief,
        Teeth,
        TipRelief,
        basic_rack,
        double_helical,
    )
    from .math.slow_laws import SlowFunction, slow
    from .membranes import MembraneMesh
    from .model import (
        Beam,
        Body,
        Constant,
        Elastic,
        Flank,
        FlexibleBody,
        Fourier,
        Frame,
        FrictionTable,
        Function,
        Harmonic,
        Joint,
        Loaded,
        LoadSharing,
        MassProperties,
        Membrane,
        Model,
        Phasing,
        PiecewisePolynomial,
        Planetary,
        Polynomial,
        Ramp,
        Rigid,
        Rolling,
        Rotation,
        Shaft,
        Shape,
        Station,
        Stribeck,
        Sum,
        Support,
        Table,
        Varying,
        Wheel,
        bar,
        cone,
        cylinder,
        planetary,
        sphere,
        stl,
        tube,
    )  # fmt: skip
    from .model.signal_expression import SignalExpression, expression
    from .progress import show_progress
    from .results import (
        Campbell,
        Floquet,
        Folded,
        FrequencyResponse,
        LinearModel,
        Modes,
        OrderMap,
        OrderSpectrum,
        OrderTrack,
        PeakHold,
        Result,
        Signal,
        Spectrogram,
        Spectrum,
        Status,
        fold,
        order_map,
        order_spectrum,
        order_track,
        peak_hold,
        spectrogram,
        spectrum,
    )
    from .results.flank_contact import ContactPatch, FlankContact
    from .results.gear_grid import GearGrid
    from .results.gear_modes import GearModes
    from .results.joint_results import FrameJacobian, JointDynamics, JointForces, MassMatrix
    from .results.loaded_contact import FlankLoad, LoadedContact
    from .results.part_quantities import Momentum, PartEnergies
    from .results.rolling_loads import RollingLoads, rolling_loads
    from .results.shaft_line import ShaftLine
    from .results.surface_contact import SurfaceContact, SurfacePatch
    from .results.tables.life_table import bearing_lives_over
    from .results.tables.result_table import ResultTable
    from .studies.batch.batch import Batch, batch
    from .studies.batch.batch_result import BatchResult
    from .studies.batch.batch_sweep import BatchSweep, Jump
    from .studies.continuation.branch_points import SpecialPoint
    from .studies.continuation.continuation import continuation
    from .studies.continuation.continuation_result import Continuation
    from .studies.continuation.flow import PeriodicMotion
    from .studies.optimum.optimum import optimum
    from .studies.optimum.optimum_result import Optimum
    from .studies.points import (
        Choice,
        LogNormal,
        Normal,
        Points,
        Triangular,
        Uniform,
        grid,
        linspace,
        logspace,
        point_list,
        sample,
    )
    from .studies.study_result import StudyResult
    from .studies.sweep.sweep import sweep
    from .superelements import Interface, Superelement
    from .superelements.reading import read_superelement
    from .superelements.writing import write_superelement
    from .system.signal_list import signals_of
    from .viewer.view import View, view

_MODULES = {
    "errors": "BudgetError ModelError PitchlineError SolveError UnitError",
    "exchange.imported": "ImportReport",
    "exchange.fmi.export": "ExportedFmu export_fmu",
    "exchange.loop.fmu_element": "fmu",
    "exchange.robots.mjcf": "from_mjcf",
    "exchange.robots.urdf": "from_urdf",
    "exchange.measurements.reader": "read_measurement",
    "exchange.measurements.tacho": "tacho",
    "exchange.loop.python_program": "python_controller",
    "exchange.rexs.importing": "from_rexs",
    "exchange.rexs.origin": "RexsOrigin rexs_origin",
    "exchange.rexs.checking": "check_rexs",
    "exchange.rexs.reading": "read_rexs",
    "exchange.rexs.to_rexs": "to_rexs",
    "exchange.rexs.writing": "write_rexs",
    "progress": "show_progress",
    "bearings.ball_types": "AngularContactBall DeepGrooveBall",
    "bearings.inclined_roller_types": "SphericalRoller TaperedRoller",
    "bearings.roller_types": "CylindricalRoller NeedleRoller",
    "beams.sections": "BeamSection",
    "beams.shaft_section": "ShaftSection",
    "gears": "Gear GearBody GearPair Hob Material Rack STEEL Shaper data_sheet_text",
    "gears.assembly_errors": "AssemblyErrors",
    "gears.surfaces": "FlankPatch SurfaceTeeth surface_teeth write_flank_points",
    "gears.teeth": (
        "BevelTeeth Bias DeviationGrid EndRelief FlankModifications HelixSlope LeadCrowning Modification PitchDeviation "
        "PressureAngleSlope ProfileCrowning RigidContact RootRelief Teeth TipRelief basic_rack double_helical"
    ),
    "math.slow_laws": "SlowFunction slow",
    "membranes": "MembraneMesh",
    "model.signal_expression": "SignalExpression expression",
    "model": (
        "Beam Body Constant Elastic Flank FlexibleBody Fourier Frame FrictionTable Function Harmonic Joint Loaded LoadSharing "
        "MassProperties Membrane Model Phasing PiecewisePolynomial Planetary Polynomial Ramp Rigid Rolling Rotation Shaft Shape "
        "Station Stribeck Sum Support Table Varying Wheel bar cone cylinder planetary sphere stl tube"
    ),
    "results": (
        "Campbell Floquet Folded FrequencyResponse LinearModel Modes OrderMap OrderSpectrum OrderTrack PeakHold Result Signal "
        "Spectrogram Spectrum Status fold order_map order_spectrum order_track peak_hold spectrogram spectrum"
    ),
    "results.flank_contact": "ContactPatch FlankContact",
    "results.gear_grid": "GearGrid",
    "results.gear_modes": "GearModes",
    "results.joint_results": "FrameJacobian JointDynamics JointForces MassMatrix",
    "results.loaded_contact": "FlankLoad LoadedContact",
    "results.surface_contact": "SurfaceContact SurfacePatch",
    "results.part_quantities": "Momentum PartEnergies",
    "results.rolling_loads": "RollingLoads rolling_loads",
    "results.shaft_line": "ShaftLine",
    "results.tables.life_table": "bearing_lives_over",
    "results.tables.result_table": "ResultTable",
    "analyses.campbell": "campbell",
    "analyses.dynamics": "dynamics resume",
    "analyses.flank_contact": "flank_contact",
    "analyses.floquet": "floquet",
    "analyses.frequency_response": "frequency_response linear_model",
    "analyses.gear_grid": "gear_grid",
    "analyses.gear_modes": "gear_modes",
    "analyses.joint_space": "JointSpace",
    "analyses.stepper": "Stepper",
    "analyses.stepper_state": "StepperState",
    "analyses.kinematics": "kinematics",
    "analyses.loaded_contact": "loaded_contact",
    "analyses.modes": "modes",
    "analyses.part_quantities": "energies momentum",
    "analyses.node_contact_motion": "node_contact_motion",
    "analyses.explicit_motion": "explicit_motion",
    "analyses.penalty_motion": "penalty_motion",
    "analyses.rigid_contact": "rigid_contact",
    "analyses.robots": "inverse_dynamics jacobian joint_dynamics mass_matrix",
    "analyses.statics": "statics",
    "cams": "CamProfile",
    "couplings": "CardanJoint ElasticCoupling GearCoupling Spline",
    "declared_elements.delay": "Delay",
    "declared_elements.integral": "Integral",
    "declared_elements.limiter": "Deadband Limiter",
    "declared_elements.lookup": "Lookup",
    "declared_elements.lookup_2d": "Lookup2D",
    "declared_elements.named_signal": "NamedSignal",
    "declared_elements.pid": "PID",
    "declared_elements.rate_limiter": "RateLimiter",
    "declared_elements.relay": "Relay",
    "declared_elements.sampled_law": "SampledLaw",
    "declared_elements.sampled_pid": "SampledPID",
    "declared_elements.sampled_transfer_function": "SampledTransferFunction",
    "declared_elements.signal_filter": "Filter",
    "declared_elements.transfer_function": "TransferFunction",
    "fem": "grid_quality sector_grid whole_gear",
    "fem.elastic_gear": "ElasticGear elastic_gear",
    "fem.gear_properties": "toothed_solid",
    "fem.meshes.reading": "solid_mesh",
    "fem.meshes.solid_mesh": "SolidMesh",
    "fem.own_mesh.options": "MeshedGear",
    "fem.own_mesh.whole_elastic_gear": "WholeElasticGear",
    "fem.rigid_gear": "rigid_gear",
    "files": "FileError ModelFile gear_surface write_grid",
    "files.loading": "load",
    "studies.batch.batch": "Batch batch",
    "studies.batch.batch_result": "BatchResult",
    "studies.batch.batch_sweep": "BatchSweep Jump",
    "studies.continuation.branch_points": "SpecialPoint",
    "studies.continuation.continuation": "continuation",
    "studies.continuation.continuation_result": "Continuation",
    "studies.continuation.flow": "PeriodicMotion",
    "studies.optimum.optimum": "optimum",
    "studies.optimum.optimum_result": "Optimum",
    "studies.points": ("Choice LogNormal Normal Points Triangular Uniform grid linspace logspace point_list sample"),
    "studies.study_result": "StudyResult",
    "studies.sweep.sweep": "sweep",
    "exchange.mass_table": "MassTablePart read_mass_table",
    "exchange.step.assembly": "from_step",
    "exchange.step.parts": "CadPart cad_parts",
    "exchange.tooth_loads.load_results": "ToothLoads",
    "exchange.tooth_loads.tooth_loads": "tooth_loads",
    "superelements": "Interface Superelement",
    "superelements.reading": "read_superelement",
    "superelements.writing": "write_superelement",
    "system.signal_list": "signals_of",
    "viewer.view": "View view",
}
"""Modules and the public names that each defines."""
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}
_PACKAGES = ("errors", "extend", "fem", "files", "gears", "model", "results", "units", "views")
"""Packages that are public as a whole: ``pl.gears.cone_angles``."""

# fmt: off
__all__ = [
    "AssemblyErrors", "Beam", "BeamSection", "BevelTeeth", "Bias", "Body", "BudgetError", "CamProfile", "Campbell", "CardanJoint",
    "Constant", "ContactPatch", "DeviationGrid", "Elastic", "ElasticCoupling", "ElasticGear", "EndRelief", "FileError", "Flank",
    "FlankContact", "FlankLoad", "FlankModifications", "FlexibleBody", "Floquet", "Folded", "Fourier", "Frame",
    "FrequencyResponse", "FrictionTable", "Function", "Gear", "GearBody", "GearCoupling", "GearGrid", "GearModes", "GearPair",
    "Harmonic", "HelixSlope", "Hob", "Interface", "Joint", "LeadCrowning", "LinearModel", "LoadSharing", "Loaded", "LoadedContact",
    "MassProperties", "Material", "Membrane", "MembraneMesh", "Model", "ModelError", "ModelFile", "Modes", "Modification",
    "OrderMap", "OrderSpectrum", "OrderTrack", "PeakHold", "Phasing", "PiecewisePolynomial", "PitchDeviation", "PitchlineError",
    "Planetary", "Polynomial", "PressureAngleSlope", "ProfileCrowning", "Rack", "Ramp", "Result", "Rigid", "RigidContact",
    "Rolling", "RootRelief", "Rotation", "STEEL", "Shaft", "ShaftSection", "Shape", "Shaper", "Signal", "SolveError",
    "Spectrogram", "Spectrum", "Spline", "Status", "Station", "Stribeck", "Sum", "Superelement", "Support", "Table", "Teeth",
    "TipRelief", "UnitError", "Varying", "View", "Wheel", "bar", "basic_rack", "campbell", "cone", "cylinder", "data_sheet_text",
    "double_helical", "dynamics", "elastic_gear", "flank_contact", "floquet", "fold", "frequency_response", "gear_surface",
    "kinematics", "linear_model", "load", "loaded_contact", "gear_grid", "gear_modes", "grid_quality", "sector_grid", "modes",
    "penalty_motion", "node_contact_motion", "explicit_motion", "planetary", "order_map", "order_spectrum", "order_track",
    "peak_hold", "read_superelement", "resume", "rigid_contact", "show_progress", "signals_of", "spectrogram", "spectrum",
    "sphere", "stl", "statics", "toothed_solid", "tube", "view", "views", "whole_gear", "write_grid", "AngularContactBall",
    "DeepGrooveBall", "SphericalRoller", "TaperedRoller", "CylindricalRoller", "NeedleRoller", "RollingLoads", "rolling_loads",
    "ResultTable", "ShaftLine", "bearing_lives_over", "SignalExpression", "SlowFunction", "expression", "slow", "PID",
    "TransferFunction", "Filter", "Integral", "RateLimiter", "Limiter", "Deadband", "Lookup", "Lookup2D", "Relay", "Delay",
    "NamedSignal", "SampledPID", "SampledTransferFunction", "SampledLaw", "FrameJacobian", "JointDynamics", "JointForces",
    "JointSpace", "Stepper", "StepperState", "ExportedFmu", "export_fmu", "MassMatrix", "Momentum", "PartEnergies", "energies",
    "inverse_dynamics", "jacobian", "joint_dynamics", "mass_matrix", "momentum", "Batch", "BatchResult", "BatchSweep", "Jump",
    "batch", "Optimum", "optimum", "Choice", "LogNormal", "Normal", "Points", "StudyResult", "Triangular", "Uniform", "grid",
    "linspace", "logspace", "point_list", "sample", "sweep", "Continuation", "PeriodicMotion", "SpecialPoint", "continuation",
    "MeshedGear", "SolidMesh", "WholeElasticGear", "solid_mesh", "ImportReport", "from_mjcf", "from_urdf", "CadPart",
    "MassTablePart", "cad_parts", "from_step", "read_mass_table", "write_superelement", "ToothLoads", "tooth_loads", "RexsOrigin",
    "from_rexs", "rexs_origin", "fmu", "python_controller", "read_measurement", "tacho", "SurfaceContact", "SurfacePatch",
    "check_rexs", "read_rexs", "to_rexs", "write_rexs", "rigid_gear", "FlankPatch", "SurfaceTeeth", "surface_teeth",
    "write_flank_points",
]
# fmt: on
connect()


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        module = importlib.import_module(f"{__name__}.{_MODULE_OF[name]}")
        if _MODULE_OF[name] != "errors":
            importlib.import_module(f"{__name__}.views")  # adds plot functions to results
        return getattr(module, name)
    if name not in _PACKAGES:
        hint = "; use the mesh Loaded(torque=...) instead" if name == "loaded_mesh" else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return __all__
