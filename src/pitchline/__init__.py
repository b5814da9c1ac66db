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

from .version import __version__ as __version__

if TYPE_CHECKING:
    from . import views
    from .analyses.campbell import campbell, floquet
    from .analyses.dynamics import dynamics, resume
    from .analyses.frequency_response import frequency_response, linear_model
    from .analyses.kinematics import kinematics
    from .analyses.modes import modes
    from .analyses.part_quantities import energies, momentum
    from .analyses.robots import JointSpace, inverse_dynamics, jacobian, joint_dynamics, mass_matrix
    from .analyses.statics import statics
    from .analyses.stepper import Stepper
    from .analyses.stepper_state import StepperState
    from .base.progress import show_progress
    from .declare.signal_expression import SignalExpression, expression
    from .engine.compile.station_signals import signals_of
    from .errors import BudgetError, ModelError, PitchlineError, SolveError, UnitError
    from .exchange.fmi.export import ExportedFmu, export_fmu
    from .exchange.fmi.program import fmu, python_controller
    from .exchange.load_results import ToothLoads
    from .exchange.mass_table import ImportReport, MassTablePart, read_mass_table
    from .exchange.measurements.reader import read_measurement, tacho
    from .exchange.rexs.checking import check_rexs
    from .exchange.rexs.gearbox import RexsOrigin, rexs_origin
    from .exchange.rexs.importing import from_rexs
    from .exchange.rexs.reading import read_rexs
    from .exchange.rexs.to_rexs import to_rexs, write_rexs
    from .exchange.robots.model_maker import from_mjcf, from_urdf
    from .exchange.step.parts import CadPart, cad_parts, from_step
    from .exchange.tooth_load_export import tooth_loads
    from .fem import grid_quality, sector_grid, whole_gear
    from .fem.elastic_gear import ElasticGear, elastic_gear, rigid_gear
    from .fem.own_mesh.gear_solid import MeshedGear
    from .fem.own_mesh.inp_mesh import SolidMesh
    from .fem.own_mesh.reading import solid_mesh
    from .fem.own_mesh.whole_elastic_gear import WholeElasticGear
    from .fem.sector_surfaces import toothed_solid
    from .files import FileError, ModelFile, gear_surface, write_grid
    from .files.reader import load
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
    from .numerics.slow_laws import SlowFunction, slow
    from .parts.bearings.ball_types import AngularContactBall, DeepGrooveBall
    from .parts.bearings.results import RollingLoads, bearing_lives_over, rolling_loads
    from .parts.bearings.roller_types import CylindricalRoller, NeedleRoller, SphericalRoller, TaperedRoller
    from .parts.bodies.results import FrameJacobian, JointDynamics, JointForces, MassMatrix
    from .parts.cams import CamProfile
    from .parts.contact.explicit_motion import explicit_motion
    from .parts.contact.flank_contact import flank_contact
    from .parts.contact.loaded_contact import loaded_contact
    from .parts.contact.node_contact import node_contact_motion
    from .parts.contact.penalty_motion import penalty_motion
    from .parts.contact.results import SurfaceContact, SurfacePatch
    from .parts.contact.results_flank import ContactPatch, FlankContact, FlankLoad, LoadedContact
    from .parts.contact.rigid_contact import rigid_contact
    from .parts.control.blocks import Deadband, Delay, Filter, Integral, Limiter, RateLimiter, Relay
    from .parts.control.controllers import PID
    from .parts.control.lookup import Lookup, Lookup2D, NamedSignal
    from .parts.control.sampled import SampledLaw, SampledPID, SampledTransferFunction, TransferFunction
    from .parts.couplings import CardanJoint, ElasticCoupling, GearCoupling, Spline
    from .parts.flexible import Interface, Superelement
    from .parts.flexible.superelement import read_superelement
    from .parts.flexible.writing import write_superelement
    from .parts.gears.analysis import gear_grid, gear_modes
    from .parts.gears.geometry import STEEL, Gear, GearBody, GearPair, Hob, Material, Rack, Shaper, data_sheet_text
    from .parts.gears.geometry.placement import AssemblyErrors
    from .parts.gears.results import GearGrid, GearModes
    from .parts.gears.surfaces import FlankPatch, SurfaceTeeth, surface_teeth, write_flank_points
    from .parts.gears.teeth import (
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
    from .parts.membranes import MembraneMesh
    from .parts.shafts.results import ShaftLine
    from .parts.shafts.sections import BeamSection, ShaftSection
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
    from .results.part_quantities import Momentum, PartEnergies
    from .results.tables_results import ResultTable
    from .studies.batch.batch import Batch, batch
    from .studies.batch.batch_sweep import BatchSweep, Jump
    from .studies.batch.lane_study import BatchResult
    from .studies.continuation.continuation import continuation
    from .studies.continuation.continuation_result import Continuation
    from .studies.continuation.flow import PeriodicMotion, SpecialPoint
    from .studies.optimisation import optimum
    from .studies.optimum_result import Optimum
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
    from .viewer.view import View, view

_MODULES = {
    "errors": "BudgetError ModelError PitchlineError SolveError UnitError",
    "exchange.mass_table": "ImportReport MassTablePart read_mass_table",
    "exchange.fmi.export": "ExportedFmu export_fmu",
    "exchange.fmi.program": "fmu python_controller",
    "exchange.robots.model_maker": "from_mjcf from_urdf",
    "exchange.measurements.reader": "read_measurement tacho",
    "exchange.rexs.importing": "from_rexs",
    "exchange.rexs.gearbox": "RexsOrigin rexs_origin",
    "exchange.rexs.checking": "check_rexs",
    "exchange.rexs.reading": "read_rexs",
    "exchange.rexs.to_rexs": "to_rexs write_rexs",
    "base.progress": "show_progress",
    "parts.bearings.ball_types": "AngularContactBall DeepGrooveBall",
    "parts.bearings.roller_types": "SphericalRoller TaperedRoller CylindricalRoller NeedleRoller",
    "parts.shafts.sections": "BeamSection ShaftSection",
    "parts.gears.geometry": "Gear GearBody GearPair Hob Material Rack STEEL Shaper data_sheet_text",
    "parts.gears.geometry.placement": "AssemblyErrors",
    "parts.gears.surfaces": "FlankPatch SurfaceTeeth surface_teeth write_flank_points",
    "parts.gears.teeth": (
        "BevelTeeth Bias DeviationGrid EndRelief FlankModifications HelixSlope LeadCrowning Modification "
        "PitchDeviation PressureAngleSlope ProfileCrowning RigidContact RootRelief Teeth TipRelief basic_rack "
        "double_helical"
    ),
    "numerics.slow_laws": "SlowFunction slow",
    "parts.membranes": "MembraneMesh",
    "declare.signal_expression": "SignalExpression expression",
    "model": (
        "Beam Body Constant Elastic Flank FlexibleBody Fourier Frame FrictionTable Function Harmonic Joint Loaded "
        "LoadSharing MassProperties Membrane Model Phasing PiecewisePolynomial Planetary Polynomial Ramp Rigid "
        "Rolling Rotation Shaft Shape Station Stribeck Sum Support Table Varying Wheel bar cone cylinder planetary "
        "sphere stl tube"
    ),
    "results": (
        "Campbell Floquet Folded FrequencyResponse LinearModel Modes OrderMap OrderSpectrum OrderTrack PeakHold "
        "Result Signal Spectrogram Spectrum Status fold order_map order_spectrum order_track peak_hold spectrogram "
        "spectrum"
    ),
    "parts.contact.results_flank": "ContactPatch FlankContact FlankLoad LoadedContact",
    "parts.gears.results": "GearGrid GearModes",
    "parts.bodies.results": "FrameJacobian JointDynamics JointForces MassMatrix",
    "parts.contact.results": "SurfaceContact SurfacePatch",
    "results.part_quantities": "Momentum PartEnergies",
    "parts.bearings.results": "RollingLoads rolling_loads bearing_lives_over",
    "parts.shafts.results": "ShaftLine",
    "results.tables_results": "ResultTable",
    "analyses.campbell": "campbell floquet",
    "analyses.dynamics": "dynamics resume",
    "parts.contact.flank_contact": "flank_contact",
    "analyses.frequency_response": "frequency_response linear_model",
    "parts.gears.analysis": "gear_grid gear_modes",
    "analyses.robots": "JointSpace inverse_dynamics jacobian joint_dynamics mass_matrix",
    "analyses.stepper": "Stepper",
    "analyses.stepper_state": "StepperState",
    "analyses.kinematics": "kinematics",
    "parts.contact.loaded_contact": "loaded_contact",
    "analyses.modes": "modes",
    "analyses.part_quantities": "energies momentum",
    "parts.contact.node_contact": "node_contact_motion",
    "parts.contact.explicit_motion": "explicit_motion",
    "parts.contact.penalty_motion": "penalty_motion",
    "parts.contact.rigid_contact": "rigid_contact",
    "analyses.statics": "statics",
    "parts.cams": "CamProfile",
    "parts.couplings": "CardanJoint ElasticCoupling GearCoupling Spline",
    "parts.control.blocks": "Delay Integral Deadband Limiter RateLimiter Relay Filter",
    "parts.control.lookup": "Lookup Lookup2D NamedSignal",
    "parts.control.controllers": "PID",
    "parts.control.sampled": "SampledLaw SampledPID SampledTransferFunction TransferFunction",
    "fem": "grid_quality sector_grid whole_gear",
    "fem.elastic_gear": "ElasticGear elastic_gear rigid_gear",
    "fem.sector_surfaces": "toothed_solid",
    "fem.own_mesh.reading": "solid_mesh",
    "fem.own_mesh.inp_mesh": "SolidMesh",
    "fem.own_mesh.gear_solid": "MeshedGear",
    "fem.own_mesh.whole_elastic_gear": "WholeElasticGear",
    "files": "FileError ModelFile gear_surface write_grid",
    "files.reader": "load",
    "studies.batch.batch": "Batch batch",
    "studies.batch.lane_study": "BatchResult",
    "studies.batch.batch_sweep": "BatchSweep Jump",
    "studies.continuation.flow": "SpecialPoint PeriodicMotion",
    "studies.continuation.continuation": "continuation",
    "studies.continuation.continuation_result": "Continuation",
    "studies.optimisation": "optimum",
    "studies.optimum_result": "Optimum",
    "studies.points": "Choice LogNormal Normal Points Triangular Uniform grid linspace logspace point_list sample",
    "studies.study_result": "StudyResult",
    "studies.sweep.sweep": "sweep",
    "exchange.step.parts": "from_step CadPart cad_parts",
    "exchange.load_results": "ToothLoads",
    "exchange.tooth_load_export": "tooth_loads",
    "parts.flexible": "Interface Superelement",
    "parts.flexible.superelement": "read_superelement",
    "parts.flexible.writing": "write_superelement",
    "engine.compile.station_signals": "signals_of",
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


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    if name not in _PACKAGES:
        hint = "; use the mesh Loaded(torque=...) instead" if name == "loaded_mesh" else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return __all__
