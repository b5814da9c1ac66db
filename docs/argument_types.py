"""Types of arguments as the reference shows them: quantities by their dimension, so that every signature has units.

In the code an argument that takes "20 mm" as well as 0.02 is annotated as `object`, `Any` or `Quantity`. The reference
shows `Length` instead. `QUANTITIES` lists these types with their units, `BY_NAME` the arguments.
"""

import inspect
import re
from typing import Any

QUANTITIES = {
    "Length": ("m", '"20 mm"'),
    "Angle": ("rad", '"20 deg"'),
    "Time": ("s", '"5 ms"'),
    "Frequency": ("Hz", '"2 kHz"'),
    "Speed": ("m/s", '"1 mm/s"'),
    "AngularSpeed": ("rad/s", '"1500 rpm"'),
    "Mass": ("kg", '"2 kg"'),
    "Inertia": ("kg m²", '("0.1 kg*m^2", "0.1 kg*m^2", "0.2 kg*m^2")'),
    "MomentOfInertia": ("kg m²", '"0.1 kg*m^2"'),
    "Density": ("kg/m³", '"7850 kg/m^3"'),
    "Force": ("N", '"2 kN"'),
    "Torque": ("N m", '"200 N*m"'),
    "Pressure": ("Pa", '"206 GPa"'),
    "Stiffness": ("N/m", '"400 N/um"'),
    "StiffnessPerLength": ("N/m²", '"14 N/(mm*um)"'),
    "TorsionalStiffness": ("N m/rad", '"50 kN*m/rad"'),
    "Damping": ("N s/m", '"200 N*s/m"'),
    "TorsionalDamping": ("N m s/rad", '"0.5 N*m*s/rad"'),
    "Viscosity": ("m²/s", '"100 cSt"'),
    "Area": ("m²", '"3 cm^2"'),
    "SectionModulus": ("m³", '"2 cm^3"'),
    "SecondMoment": ("m⁴", '"5 cm^4"'),
    "InverseSpeed": ("s/m", '"0.001 s/m"'),
    "Voltage": ("V", '"24 V"'),
    "Current": ("A", '"2 A"'),
    "Resistance": ("ohm", '"0.5 ohm"'),
    "Inductance": ("H", '"2 mH"'),
    "MotorConstant": ("N m/A", '"0.08 N*m/A"'),
    "Capacity": ("N m s²/rad²", '"0.002 N*m*s^2/rad^2"'),
    "Number": ("", "0.05"),
    "Integer": ("", "20"),
    "Point": ("m", '(0, 0, "50 mm")'),
    "Velocity": ("m/s", '("1 m/s", 0, 0)'),
    "AngularVelocity": ("rad/s", '(0, 0, "1500 rpm")'),
    "Acceleration": ("m/s²", '(0, 0, "-9.81 m/s^2")'),
    "ForceVector": ("N", '("1 kN", 0, 0)'),
    "MomentVector": ("N m", '("10 N*m", 0)'),
}
"""Type -> unit of a plain number, and an example with a unit."""

_NAMES = {
    "Length": "amount approach arm axial_clearance axial_limit axial_module axial_shift backlash backlash_allowance ball "
    "base_radius bore centre_distance clearance close_up cutter_tip_rounding depth diameter distance end_radius error "
    "face_offset face_width flank_depth flank_edge free_length gap height hub_diameter inner inner_end inner_radius lead "
    "length normal_module module outer outer_end outer_module outer_radius pitch pitch_diameter pivot_distance play "
    "protuberance radius reference_diameter rim_diameter rim_thickness roll_length roller roller_radius root_diameter "
    "hubs lifts points radial_errors stations tangential_errors size smoothing thickness tip_diameter "
    "tip_rounding wall web_thickness width radius_a radius_b slack",
    "Angle": "cam_angle cone_angle contact_angle deviation free_angle helix_angle inclination initial_twist lead_angle "
    "misalignment normal_pressure_angle pressure_angle profile_shift_angle protuberance_angle shaft_angle step_angle "
    "tilt_limit angle angles phase tilts slope crank_angle firing_angles turn",
    "Time": "lag after before duration max_step min_step output_step step t0 t1 time times checkpoint_seconds budget",
    "Frequency": "frequency frequencies highest lowest up_to modes modes_to end",
    "Speed": "friction_speed creep_speed wind",
    "AngularSpeed": "efficiency_speed friction_rate speed speeds angular_frequency rated_angular_frequency rated_speed",
    "Mass": "mass effective_mass vehicle_mass",
    "Inertia": "inertia",
    "Density": "density air_density",
    "Force": "C C0 preload pretension rating static_rating loads tensile_stiffness",
    "Torque": "torque torques zero_torques gas_torque zero_gas_torque breakdown_torque rated_torque constant_torque",
    "Pressure": "youngs_modulus modulus",
    "Stiffness": "axial_stiffness axial_stop_stiffness penalty pin_stiffness radial_stiffness stiffness",
    "StiffnessPerLength": "tooth_stiffness",
    "TorsionalStiffness": "tilt_stiffness tilt_stop_stiffness torsion torsional_stiffness",
    "Damping": "axial_damping damping pin_damping radial_damping",
    "TorsionalDamping": "drag tilt_damping torsion_damping torsional_damping",
    "Viscosity": "viscosity",
    "Area": "area drag_area shear_areas",
    "SectionModulus": "bending_moduli torsion_modulus",
    "SecondMoment": "second_moments torsion_constant",
    "InverseSpeed": "viscous",
    "Voltage": "voltage",
    "Current": "armature_current",
    "Resistance": "resistance stator_resistance rotor_resistance",
    "Inductance": "inductance stator_leakage rotor_leakage magnetizing_inductance",
    "MotorConstant": "constant",
    "Capacity": "capacities",
    "Number": "addendum_factor coast_face_load_factor contamination damping_limit damping_ratio dedendum_factor efficiency "
    "face_load_factor friction kinetic load_factor magnify_corrections notch_factor poissons_ratio profile_shift ratio "
    "relative_damping reliability resolution restitution ripples root_radius_factor scale static viscous_factor throttle "
    "tip_alteration "
    "breakdown_slip rolling_coefficient advance_ratios thrust_coefficients torque_coefficients speed_ratios torque_ratios "
    "coast_factor "
    "phase_a phase_b",
    "Integer": "across_elements body_elements cells cutter_teeth face_elements face_points fillet_elements flank_elements "
    "lines offsets order phases pitches positions profile_points root_elements rows starts strips teeth",
    "Point": "at at_a at_b centre_of_mass centroid position position_a position_b shear_centre",
    "Velocity": "velocity",
    "AngularVelocity": "angular_velocity",
    "Acceleration": "gravity gravitational_acceleration",
    "ForceVector": "force",
    "MomentVector": "moment",
    "Modifications": "both left modifications right",
    "Shape | list[Shape]": "shape",
    "Direction": "axis pin towards",
    "Orientation": "orientation rotation rotation_a rotation_b",
    "Model | Result | Modes | Campbell | FrequencyResponse": "things",
    "Mapping[str, Mesh]": "meshes",
}
BY_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}
"""Argument -> type, wherever it occurs."""

BY_PLACE = {
    "Constant.value": "Value",
    "DeviationGrid.values": "Sequence[Sequence[Length]]",
    "DeviationGrid.roll_lengths": "Sequence[Length]",
    "DeviationGrid.faces": "Sequence[Length]",
    "surface_teeth.teeth": "Gear | Rack | Teeth | BevelTeeth | SurfaceTeeth",
    "write_flank_points.teeth": "Gear | Rack | Teeth | BevelTeeth | SurfaceTeeth",
    "write_flank_points.rows": "int",
    "write_flank_points.lines": "int",
    "write_flank_points.tooth": "int",
    "write_flank_points.unit": "str",
    "Gear.flanks": "FlankSurfaces | SurfaceTeeth | Mapping",
    "Rack.flanks": "FlankSurfaces | SurfaceTeeth | Mapping",
    "ElasticCoupling.torsion": "Sequence[tuple[Angle, Torque]]",
    "Elastic.stiffness": "Stiffness | Function | Varying | tuple",
    "Elastic.tooth_stiffness": "Stiffness | tuple[Stiffness, Stiffness]",
    "Elastic.contact_ratio": "Number",
    "Elastic.damping": "Damping | Function | Varying | tuple",
    "Loaded.damping": "Damping | Function | Varying | tuple",
    **{f"{mesh}.backlash": "Length | Function | Varying | list" for mesh in ("Elastic", "Loaded", "Rigid")},
    "FrictionTable.speeds": "Sequence[Speed]",
    "FrictionTable.forces": "Sequence[Force]",
    "FrictionTable.coefficients": "Sequence[Sequence[Number]] | Callable",
    "Elastic.error": "Length | Function | Varying | list",
    "Loaded.error": "Length | Function | Varying | list",
    "Rigid.error": "Length | Function | Varying | list",
    "Elastic.friction": "Number | Stribeck | FrictionTable | Table | tuple",
    "Loaded.friction": "Number | Stribeck | FrictionTable | Table | tuple",
    "Rigid.friction": "Number | Stribeck | FrictionTable | Table | tuple",
    "Elastic.efficiency": "Number | tuple[Number, Number]",
    "Loaded.efficiency": "Number | tuple[Number, Number]",
    "Rigid.efficiency": "Number | tuple[Number, Number]",
    "Loaded.loads": "Sequence[Force] | int",
    "Loaded.approach": "Sequence[Sequence[Length]]",
    "Loaded.coast": "Sequence[Sequence[Length]] | bool",
    "Loaded.tilts": "Angle | Sequence[Angle]",
    "Loaded.torque": "Torque | Sequence[Torque]",
    "loaded_contact.torque": "Torque | Sequence[Torque]",
    "loaded_contact.start": "Number",
    "rigid_contact.start": "Number",
    "flank_contact.torque": "Torque | Sequence[Torque]",
    "flank_contact.phase": "Number | Sequence[Number]",
    "campbell.speeds": "Sequence[AngularSpeed]",
    "floquet.speeds": "Sequence[AngularSpeed]",
    "floquet.ripples": "Sequence[Number]",
    "frequency_response.frequencies": "Sequence[Frequency] | Mapping",
    "Fourier.period": "Time | Angle",
    "Fourier.mean": "Value",
    "Fourier.cos": "Sequence[Value]",
    "Fourier.sin": "Sequence[Value]",
    "Harmonic.amplitude": "Value",
    "Harmonic.offset": "Value",
    "Interface.nodes": "Sequence[int]",
    "Interface.tolerance": "Length",
    "MassProperties.inertia": "Inertia",
    "PiecewisePolynomial.t": "Sequence[Time]",
    "PiecewisePolynomial.coefficients": "Sequence[Sequence[Value]]",
    "Polynomial.coefficients": "Sequence[Value]",
    "Ramp.start": "Value",
    "Ramp.end": "Value",
    "Stribeck.speed": "Speed",
    "Sum.terms": "Sequence[Function]",
    "Support.torsion": "TorsionalStiffness",
    "Table.t": "Sequence[Time | Angle]",
    "Table.values": "Sequence[Value]",
    "Varying.function": "Function | Callable[[float], float]",
    "BeamSection.stiffness": "Matrix6",
    "BeamSection.mass": "Matrix6",
    "bar.height": "Length",
    "cad_parts.tolerance": "Length",
    "cad_parts.time_limit": "Time",
    "double_helical.options": "Any",
    "from_step.density": "Density | Material",
    "tooth_loads.times": "Time | Sequence[Time] | None",
    "tooth_loads.grid": "Any",
    "from_step.tolerance": "Length",
    "from_step.time_limit": "Time",
    "dynamics.tolerance": "Number | Length",
    "Stepper.tolerance": "Number | Length",
    "Stepper.start_time": "Time",
    "Stepper.until": "Time",
    "export_fmu.tolerance": "Number | Length",
    "export_fmu.communication_step": "Time",
    "export_fmu.stop_time": "Time",
    "kinematics.times": "Sequence[Time]",
    "load.parameters": "Value",
    "sector_grid.modified": "bool",
    "stl.scale": "Length",
    "view.things": "Model | Result | Modes | Campbell | FrequencyResponse",
    "write_grid.options": "Any",
    "views.plot_state.t": "Time",
    "views.plot_state.contact": "LoadedContact | FlankContact | Mapping",
    "views.plot_scheme.model": "Model | Mapping",
    "views.write_report.results": "Result | Mapping[str, Result | Modes | ...]",
    "views.write_report.model": "Model | Mapping | None",
    "views.write_report.source": "str | None",
    "views.plot_gear_modes.end": "Frequency",
    "Model.fan_load.smoothing_speed": "AngularSpeed",
    "Model.road_load.smoothing_speed": "Speed",
    "Model.road_resistance.smoothing_speed": "Speed",
    "Model.dc_motor.inertia": "MomentOfInertia",
    "Model.induction_motor.inertia": "MomentOfInertia",
    "Model.kloss_motor.inertia": "MomentOfInertia",
    "Model.ratio.efficiency": "Number | tuple[Number, Number]",
    "Model.ratio.stiffness": "TorsionalStiffness",
    "Model.ratio.damping": "TorsionalDamping",
    "Model.ratio.backlash": "Angle",
    "Model.stop.lower": "Length | Angle",
    "Model.stop.upper": "Length | Angle",
    "Model.stop.stiffness": "Stiffness | TorsionalStiffness",
    "Model.stop.damping": "Damping | TorsionalDamping",
    "Model.torsion_spring.stiffness": "TorsionalStiffness",
    "Model.torsion_spring.damping": "TorsionalDamping",
    "Model.beam.damping": "Time | Mapping[str, Time]",
    "Model.shaft.damping": "Time | Mapping[str, Time]",
    "Model.flexible_body.damping": "Time",
    "Model.membrane.damping": "Time",
    "Model.membrane.prestress": "Pressure | Sequence[Pressure]",
    "AssemblyErrors.offset": "Length",
    "AssemblyErrors.axial_a": "Length",
    "AssemblyErrors.axial_b": "Length",
    "AssemblyErrors.shaft_angle": "Angle",
    "Membrane.damping": "Time",
    "Membrane.prestress": "Pressure | Sequence[Pressure]",
    "Model.friction.coulomb": "Torque | Force | Function",
    "Model.friction.static": "Torque | Force",
    "Model.friction.stribeck_speed": "AngularSpeed | Speed",
    "Model.friction.viscous": "TorsionalDamping | Damping",
    "Model.friction.normal_force": "Force | Function",
    "Model.brake.capacity": "Torque | Function",
    "Model.clutch.capacity": "Torque | Function",
    "Model.clutch.viscous": "TorsionalDamping",
    "Model.one_way_clutch.capacity": "Torque | Function",
    "Model.torque_limiter.slip_torque": "Torque",
    "Model.bearing.friction_speed": "AngularSpeed",
    "Model.bearing.offset": "Length",
    "Model.drive.angle": "Angle | Function",
    "Model.drive.displacement": "Length | Function",
    "Model.drive.speed": "AngularSpeed | Speed | Function",
    "Model.force.value": "ForceVector | Force | Function",
    "Model.torque.value": "MomentVector | Torque | Function",
    "Model.bushing.stiffness": "Sequence[Stiffness | TorsionalStiffness] | Matrix6",
    "Model.bushing.damping": "Sequence[Damping | TorsionalDamping] | Matrix6",
    "Model.view.options": "Any",
    "Model.add.element": "Element",
    "planetary.step": "Length",
    "Result.reactions.about": "Point",
    "Result.plot.options": "Any",
    "Result.report.options": "Any",
    "Result.view.options": "Any",
    "CamProfile.from_lift.offset": "Length",
    "CamProfile.from_lift_table.offset": "Length",
    "DeepGrooveBall.under.offset": "Length",
    "Signal.at.t": "Time",
    "Signal.between.start": "Time",
    "Signal.between.end": "Time",
    "Spline.teeth": "int",
    "JointSpace.coordinates": "str | Sequence[str] | None",
    "JointSpace.state": "Result | Mapping[str, Angle | Length] | None",
    "JointSpace.at": "Time",
    "joint_dynamics.coordinates": "str | Sequence[str] | None",
    "joint_dynamics.state": "Result | Mapping[str, Angle | Length] | None",
    "joint_dynamics.at": "Time",
    "inverse_dynamics.coordinates": "str | Sequence[str] | None",
    "inverse_dynamics.state": "Result | Mapping[str, Angle | Length] | None",
    "inverse_dynamics.at": "Time",
    "jacobian.coordinates": "str | Sequence[str] | None",
    "jacobian.state": "Result | Mapping[str, Angle | Length] | None",
    "jacobian.at": "Time",
    "mass_matrix.coordinates": "str | Sequence[str] | None",
    "mass_matrix.state": "Result | Mapping[str, Angle | Length] | None",
    "mass_matrix.at": "Time",
    "JointSpace.speeds": "Mapping[str, AngularSpeed | Speed] | None",
    "joint_dynamics.speeds": "Mapping[str, AngularSpeed | Speed] | None",
    "jacobian.speeds": "Mapping[str, AngularSpeed | Speed] | None",
    "JointSpace.without": "str | Sequence[str]",
    "joint_dynamics.without": "str | Sequence[str]",
    "inverse_dynamics.without": "str | Sequence[str]",
    "JointSpace.until": "Time",
    "inverse_dynamics.q": "Array | Mapping[str, Array | Function]",
    "inverse_dynamics.qd": "Array | Mapping[str, Array] | None",
    "inverse_dynamics.qdd": "Array | Mapping[str, Array] | None",
    "inverse_dynamics.times": "Sequence[Time]",
    "jacobian.frame": "Frame | Body | str",
    "jacobian.point": "Point",
    "energies.groups": "Mapping[str, str | Sequence[str]] | None",
    "momentum.about": 'Point | Literal["centre of mass"]',
    "momentum.parts": "str | Sequence[str] | None",
    "Model.sensor.at_reference": "Point",
    "batch.source": "str | Path | ModelFile | Model | Callable[..., Model]",
    "continuation.source": "str | Path | ModelFile | Model | Callable[..., Model]",
    "continuation.start": "float | str",
    "continuation.end": "float | str",
    "continuation.limits": "tuple[float | str, float | str] | None",
    "continuation.state": "Array | None",
    "continuation.period": "Time | Callable[[float], float] | None",
    "sweep.source": "str | Path | ModelFile | Callable",
    "sweep.client": "dask.distributed.Client | str | None",
    "sweep.max_time": "Time | None",
    "optimum.source": "str | Path | ModelFile | Callable",
    "optimum.cases": "Points | list[dict] | None",
}
"""Class or function and argument -> type, where the name does not decide it."""

_RETURNED = (
    "CadPart MassTablePart ToothLoads "
    "Body Frame Joint Shaft Beam FlexibleBody Membrane Station Wheel GearGrid GearModes ElasticGear Superelement Planetary Phasing "
    "LoadSharing Campbell ContactPatch FlankContact FlankLoad Floquet Folded FrequencyResponse LinearModel LoadedContact "
    "ModelFile Modes OrderMap OrderSpectrum OrderTrack PeakHold Result ResultTable RigidContact RollingLoads ShaftLine "
    "Signal Spectrogram Spectrum Status View Function Modification Shape FileError ModelError UnitError SolveError BudgetError "
    "CamProfile PitchlineError FrameJacobian JointDynamics JointForces MassMatrix Momentum PartEnergies Points "
    "StudyResult Batch BatchResult BatchSweep Jump Continuation Optimum PeriodicMotion SpecialPoint"
)
RESULTS = set(_RETURNED.split())
"""Classes that functions and methods return: they are not called, and have no signature in the reference."""

_LOOSE = re.compile(r"\b(object|Any|Quantity|TimeValue|TimeVector|Vector)\b")
_MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")


def argument_type(place: str, name: str, annotation: object) -> str:
    """Type of an argument as the reference shows it: with the name of a quantity where the code has a loose type."""
    shown = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    shown = _MODULES.sub("", shown.replace("'", "")).replace("NDArray[float64]", "array").replace("FloatArray", "array")
    if annotation is inspect.Parameter.empty or _LOOSE.search(shown):
        kind = BY_PLACE.get(f"{place}.{name}") or BY_NAME.get(name)
        if kind and (shown in ("object", "Any", "Direction") or annotation is inspect.Parameter.empty):
            return kind
        if kind and f"{place}.{name}" in BY_PLACE:
            return kind + (" | None" if "None" in shown and "None" not in kind else "")
        if kind:
            return _LOOSE.sub(kind, shown)
    return shown.replace("object", "Any")


def _default(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple) and all(isinstance(item, float) for item in value):
        return repr(tuple(f"{item:g}" for item in value)).replace("'", "")
    shown = repr(value)
    if shown.startswith("Material(name='steel'"):
        return "STEEL"
    return shown.replace("'", '"') if len(shown) < 40 else "..."


def signature_of(place: str, target: Any) -> str:
    """Signature with named types and readable defaults; empty for classes that are not called."""
    if place in RESULTS:
        return ""
    found = inspect.signature(target)
    shown: list[str] = []
    keyword = False
    for name, given in found.parameters.items():
        if name in ("self", "cls"):
            continue
        if given.kind is given.KEYWORD_ONLY and not keyword and not any(text.startswith("*") for text in shown):
            shown.append("*")
        keyword = keyword or given.kind is given.KEYWORD_ONLY
        mark = {given.VAR_POSITIONAL: "*", given.VAR_KEYWORD: "**"}.get(given.kind, "")
        kind = argument_type(place, name, given.annotation)
        if given.default is None and "None" not in kind and kind != "Any":
            kind += " | None"
        text = f"{mark}{name}: {kind}"
        shown.append(text if given.default is given.empty else f"{text} = {_default(given.default)}")
    back = found.return_annotation
    end = "" if inspect.isclass(target) or back is inspect.Signature.empty else f" -> {argument_type(place, '', back)}"
    return f"({', '.join(shown)}){end}"


def shown_signature(_app: Any, what: str, name: str, target: Any, *_rest: Any) -> tuple[str, str] | None:
    """Handler of autodoc-process-signature."""
    if what not in ("class", "function", "method"):
        return None
    place = name.removeprefix("pitchline.")
    try:
        text = signature_of(place, target)
    except (TypeError, ValueError):
        return None
    call, _, back = text.partition(" -> ")
    return call, back
