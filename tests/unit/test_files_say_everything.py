"""Files say everything the Python API says: a walk through the public names, their methods and their arguments.

Each is behind a table or a key of files, or stands below with the reason why not.
"""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import pitchline as pl
from pitchline import files
from pitchline.declare.field_declarations import DescriptionField
from pitchline.declare.search import declared_elements
from pitchline.files import catalogue
from pitchline.files.amounts import CLASS_OF_KIND, METHODS, properties
from pitchline.files.catalogue import Entry
from pitchline.files.schema_types import (
    ANALYSES,
    EXPLICIT,
    OF_GEARS,
    OF_PAIRS,
    OF_SIGNALS,
    OF_WHEELS,
    STUDIES,
    analysis,
)

RESULT = "what an analysis gives: figures ask for its properties, plots draw it"
ERROR = "an error"
MADE = "made by a method of the model, which is a table"
DERIVED = "derived from a gear, which is a table"
PROGRAMS = "matrices and motions for programs, such as controllers of robots: files have signals, sensors and drives"
POINTS = "the keys over and sample of a study"
IMPORT = "files of other programs: the command pitchline import writes a model file"
TEXT = "a text or a picture, not a model: a command writes it"

NOT_IN_FILES = {
    **dict.fromkeys(("BudgetError", "FileError", "ModelError", "PitchlineError", "SolveError", "UnitError"), ERROR),
    **dict.fromkeys((
        "Campbell", "ContactPatch", "ElasticGear", "WholeElasticGear", "FlankContact", "FlankLoad", "Floquet", "Folded",
        "FrequencyResponse", "GearGrid", "GearModes",
        "LinearModel", "LoadSharing", "LoadedContact", "SurfaceContact", "SurfacePatch", "Modes", "OrderMap", "OrderSpectrum",
        "OrderTrack", "PeakHold", "Phasing", "Planetary", "Result", "RigidContact", "Signal", "Spectrogram",
        "ResultTable", "RollingLoads", "ShaftLine", "Spectrum", "Status",
        "FrameJacobian", "JointDynamics", "JointForces", "MassMatrix", "Momentum", "PartEnergies",
        "BatchResult", "BatchSweep", "Continuation", "Jump", "Optimum", "PeriodicMotion", "SpecialPoint", "StudyResult",
    ), RESULT),
    **dict.fromkeys((
        "Points", "grid", "linspace", "logspace", "point_list", "sample", "Choice", "LogNormal", "Normal", "Triangular", "Uniform",
    ), POINTS),
    "Batch": 'analyses with kind = "batch" and "batch_sweep"',
    **dict.fromkeys(
        ("Beam", "Body", "FlexibleBody", "Frame", "Membrane", "Joint", "Shaft", "Station", "Wheel", "GearPair"), MADE
    ),
    "AssemblyErrors": "the key errors of rigid_contact",
    **dict.fromkeys(("SurfaceTeeth", "surface_teeth"), DERIVED),
    **dict.fromkeys(("Teeth", "BevelTeeth", "whole_gear", "grid_quality", "gear_surface"), DERIVED),
    **dict.fromkeys(("data_sheet_text", "write_flank_points", "write_grid", "views"), TEXT),
    "FlankPatch": "a flank as a spline: the key flanks of a gear",
    **dict.fromkeys((
        "JointSpace", "Stepper", "StepperState", "energies", "inverse_dynamics", "jacobian", "joint_dynamics", "mass_matrix",
        "momentum",
    ), PROGRAMS),
    **dict.fromkeys(("from_mjcf", "from_rexs", "from_step", "from_urdf", "ImportReport", "RexsOrigin", "rexs_origin"), IMPORT),
    **dict.fromkeys(("CadPart", "MassTablePart", "cad_parts", "read_mass_table"), IMPORT),
    **dict.fromkeys(("check_rexs", "read_rexs", "to_rexs", "write_rexs"), "documents of another program, and the command check"),
    **dict.fromkeys(("read_measurement", "tacho"), "measurements: commands read them, such as pitchline plot --measured"),
    **dict.fromkeys(("ToothLoads", "tooth_loads"), "loads for other programs: the command pitchline loads"),
    "write_superelement": "files for other programs",
    **dict.fromkeys(("MeshedGear", "SolidMesh", "solid_mesh"), 'grid options of a gear: mesh = "gear.inp", units = "mm", ...'),
    "rigid_gear": 'grid options of a gear: body = "rigid", rows, lines',
    **dict.fromkeys(("ExportedFmu", "export_fmu"), "the table [fmu], and the command pitchline fmu"),
    "Function": "the common part of functions of time, each of which is a table",
    "Modification": "the common part of modifications, each of which is a table",
    "Rotation": "an orientation is a list, or a table with axis and angle",
    "ModelFile": "a file itself",
    "load": "reads a file",
    "bearing_lives_over": "lives of several results: figures have those of each, analyses.NAME.bearing_lives.PART.life, to add up",
    "rolling_loads": "numbers of a result for programs: files have the signals max_load and max_pressure, and tables of bearings",
    "resume": "goes on from a checkpoint: pitchline run --resume",
    "show_progress": "how Python tells what it does; commands always tell",
    "View": "a page in a browser: pitchline view",
    "view": "shows models and results in a browser: pitchline view",
    "signals_of": "names of signals, for programs: pitchline check looks them up",
    **dict.fromkeys(("slow", "SlowFunction"), "runs a Python function, which a file does not contain"),
    "expression": "a table with the key expression",
    "double_helical": "two halves as tooth surfaces; in a model they are two gears on one body, whose helix angles are opposite",
}  # fmt: skip
"""Public names that no table stands for."""
NAMED_OTHERWISE = {
    **dict.fromkeys(
        ("batch", "continuation", "optimum", "sweep"),
        "an analysis of this kind, with points in its keys over and points",
    ),
    "fmu": 'an element { type = "fmu" }',
    "python_controller": "runs a Python program, which a file does not contain",
    "CamProfile": "the key profile of a cam, with kind",
    "CardanJoint": 'a joint { kind = "universal" }',
    **dict.fromkeys(("ElasticCoupling", "GearCoupling", "Spline"), "the key design of a coupling, with kind"),
    "STEEL": 'the material "steel"',
    "basic_rack": "the key basic_rack of a gear",
    "Superelement": "the key superelement of a flexible body, with a shape or a file",
    "planetary": "[planetary.NAME]",
    "Shape": "a solid without mass and density",
    "toothed_solid": 'a solid { kind = "gear", from = "elements" }',
}
NOT_METHODS = {
    "check": "done when a file is read",
    "view": "shows it in a browser: pitchline view",
    "describe": "the model as data",
    "plot_state": "draws the model: [[plot]] what = 'state'",
    "joint_coordinates": "of a joint, in an analysis: a signal",
    "placed": "where a frame is: what tables of frames say",
    "replaced": "a copy with other parts: parameters of a file, and those of an analysis",
    "size": "a number",
    "mass": "a number",
    "centre_of_mass": "a point",
    "structures": "shafts, beams and flexible bodies together, each of which is a table",
    "summary": "a text",
    "to_toml": "writes a file",
    "warnings": "what pitchline check tells",
    "add": "[elements.NAME]",
    "attached_mass": '[elements.NAME] with type = "attached_mass"',
    "coupling": '[elements.NAME] with type = "coupling", or a joint { kind = "universal" }',
    "friction": '[elements.NAME] with type = "friction" or "sliding_friction"',
    "brake": '[elements.NAME] with type = "friction"',
    **dict.fromkeys(
        ("clutch", "one_way_clutch", "torque_limiter"), '[elements.NAME] with type = "friction" or "clutch"'
    ),
    "cam": '[elements.NAME] with type = "cam" or "grooved_cam"',
    "bearing": '[elements.NAME] with type = "bearing"',
    "axial_support": '[elements.NAME] with type = "axial_support"',
    "ratio": '[elements.NAME] with type = "gear_ratio" or "elastic_gear_ratio"',
    "planetary_ratio": '[elements.NAME] with type = "planetary_ratio"',
    "rotor": "a body, a joint and an element for its inertia, each of which is a table",
    "sensor": '[elements.NAME] with type = "sensor"',
    **{
        key: f'[elements.NAME] with type = "{key}"'
        for key in (
            "dc_motor",
            "induction_motor",
            "kloss_motor",
            "motor_map",
            "combustion_engine",
            "fan_load",
            "speed_load",
            "road_load",
            "road_resistance",
            "propeller",
            "torque_converter",
            "belt_drive",
            "chain_drive",
        )
    },
    "ground": 'the body "ground"',
}
"""Of Model."""
NOT_KEYS = {
    ("*", "self"): "the object",
    ("*", "name"): "the name of the table",
    ("*", "model"): "the model of the file",
    ("*", "what"): "words for messages",
    ("*", "progress"): "a Python callable",
    ("*", "checkpoint"): "pitchline run --checkpoint",
    ("*", "checkpoint_seconds"): "pitchline run --checkpoint",
    ("*", "about"): "the name of an earlier analysis, as start",
    ("*", "start"): "the name of an earlier analysis",
    ("elastic_gear", "teeth"): "the key gear",
    ("elastic_gear", "material"): "that of the gear",
    ("elastic_gear", "cache"): "where computed gears are kept is not the matter of a file",
    **{(kind, "wheel"): "the key gear" for kind in OF_WHEELS},
    ("sector_grid", "teeth"): "those of the gear",
    ("sector_grid", "modified"): "elements follow ideal flanks; modifications are added by contact",
    ("look", "part"): "the name of the table",
    ("Table", "kind"): 'interpolation, as kind = "table" says what it is',
    ("from_csv", "path"): "file, the name of the data file",
    **{(kind, key): "the gears of the pair of the model" for kind in OF_PAIRS for key in ("a", "b")},
    **{
        (kind, key): "as the gears stand in the model"
        for kind in OF_PAIRS
        for key in ("centre_distance", "shaft_angle")
    },
}
"""Arguments that are no keys."""


def entries() -> Iterator[Entry]:
    """Every table that a file may have."""
    for found in vars(catalogue).values():
        if isinstance(found, Entry):
            yield found
        elif isinstance(found, dict):
            yield from (entry for entry in found.values() if isinstance(entry, Entry))
    for kind in ANALYSES:
        yield analysis(kind)
    for cls in declared_elements().values():
        for field in cls.fields_of(DescriptionField).values():
            yield from (Entry(make, inspect.signature(make).parameters) for make in field.kinds.values())


def original(call: Callable[..., Any]) -> Any:
    return getattr(inspect.unwrap(call), "__func__", inspect.unwrap(call))


def is_element(thing: Any) -> bool:
    """A class of the package that is a table [elements.NAME] with its key as type: all its arguments are keys there."""
    return inspect.isclass(thing) and declared_elements().get(getattr(thing, "key", "")) is thing


BEHIND = {original(entry.call): entry for entry in entries()}


def keys_of(call: Callable[..., Any]) -> set[str]:
    """Keys of all tables behind which a callable is, by the names of its arguments."""
    found: set[str] = set()
    for entry in entries():
        if original(entry.call) is original(call):
            found |= {entry.renamed.get(key, key) for key in entry.arguments}
    return found


def unsaid(call: Callable[..., Any], name: str) -> list[str]:
    """Arguments of a callable that no key stands for."""
    known = keys_of(call)
    return [
        key
        for key, parameter in inspect.signature(call).parameters.items()
        if key not in known
        and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        and ("*", key) not in NOT_KEYS
        and (name, key) not in NOT_KEYS
    ]


@pytest.mark.parametrize("name", sorted(pl.__all__))
def test_every_public_name_can_be_said(name: str) -> None:
    thing = getattr(pl, name)
    if name in NOT_IN_FILES:
        assert not callable(thing) or original(thing) not in BEHIND, f"{name} can be said: it is no exception"
        return
    if name in NAMED_OTHERWISE or thing is pl.Model or is_element(thing):
        return
    assert original(thing) in BEHIND, f"pl.{name} cannot be said in a file: give it a table, or the reason why not"
    assert unsaid(thing, name) == []


def test_exceptions_are_public_names() -> None:
    assert {*NOT_IN_FILES, *NAMED_OTHERWISE} <= set(pl.__all__)
    assert all(reason for reason in (*NOT_IN_FILES.values(), *NOT_METHODS.values(), *NOT_KEYS.values()))


@pytest.mark.parametrize("name", sorted(name for name in dir(pl.Model) if not name.startswith("_")))
def test_every_method_of_a_model_can_be_said(name: str) -> None:
    method = inspect.getattr_static(pl.Model, name)
    if name in NOT_METHODS:
        return
    if not callable(method):  # parts by name, and what Model itself takes
        assert name in catalogue.TOP
        return
    assert original(getattr(pl.Model, name)) in BEHIND, f"Model.{name} cannot be said in a file"
    assert unsaid(getattr(pl.Model, name), name) == []


def test_arguments_of_a_model_stand_at_the_top() -> None:
    assert set(inspect.signature(pl.Model).parameters) - {"self"} <= set(catalogue.TOP)


@pytest.mark.parametrize("name", ["from_outer_module", "from_axial_module"])
def test_other_ways_to_make_a_gear_can_be_said(name: str) -> None:
    assert unsaid(getattr(pl.Gear, name), name) == []


def test_measured_flanks_and_frames_can_be_said() -> None:
    assert unsaid(pl.DeviationGrid.from_csv, "from_csv") == []
    assert unsaid(pl.Body.frame, "frame") == []


@pytest.mark.parametrize("kind", [kind for kind in ANALYSES if kind not in STUDIES])
def test_every_analysis_is_a_function_of_the_api_with_its_arguments(kind: str) -> None:
    assert unsaid(getattr(pl, kind), kind) == []
    tables = files.schema()["properties"]["analyses"]["items"]["oneOf"]
    (table,) = [table for table in tables if table["properties"]["kind"]["const"] == kind]
    assert set(analysis(kind).arguments) <= set(table["properties"])


def test_results_without_signals_have_properties_for_figures() -> None:
    with_signals = {"statics", "kinematics", "dynamics", *EXPLICIT}
    assert set(CLASS_OF_KIND) == set(ANALYSES) - with_signals - set(STUDIES)  # figures have functions of studies
    assert all(properties(name) for name in CLASS_OF_KIND.values())
    assert {*OF_GEARS, *OF_PAIRS, *OF_SIGNALS} <= set(CLASS_OF_KIND)


CLASSES = {
    "Gear": pl.Gear, "Rack": pl.Rack, "Material": pl.Material, "GearPair": pl.GearPair, "Body": pl.Body, "Joint": pl.Joint,
    "Modes": pl.Modes, "Campbell": pl.Campbell, "Floquet": pl.Floquet, "FrequencyResponse": pl.FrequencyResponse,
    "LinearModel": pl.LinearModel, "LoadedContact": pl.LoadedContact, "FlankContact": pl.FlankContact,
    "ContactPatch": pl.ContactPatch, "RigidContact": pl.RigidContact, "ElasticGear": pl.ElasticGear, "OrderMap": pl.OrderMap,
    "OrderSpectrum": pl.OrderSpectrum, "OrderTrack": pl.OrderTrack, "Spectrum": pl.Spectrum, "Spectrogram": pl.Spectrogram,
    "Folded": pl.Folded, "PeakHold": pl.PeakHold, "Planetary": pl.Planetary, "LoadSharing": pl.LoadSharing, "Phasing": pl.Phasing,
}  # fmt: skip
WORDS = {
    "Gear": {"warnings", "equivalent_cylinder", "modifications", "flanks", "tool", "solid", "from_axial_module",
             "from_outer_module"},
    "Rack": {"solid", "flanks"},
    "GearPair": {"kind", "pitch", "running", "warnings", "what"},
    "Body": {"any_inertia", "is_ground", "name"}, "Joint": {"name", "kind", "coordinates", "body_a", "body_b"},
    "Material": {"name"},
    "Planetary": {"name", "arrangement", "planets", "outer_planets", "wheels", "bearings", "pins", "sun_meshes", "ring_meshes",
                  "planet_meshes"},
    "Phasing": {"kind"},
    "Modes": {"model_name", "bodies", "eigenvalues", "shapes", "kinetic", "strain", "kinds", "descriptions", "growing", "own",
              "pose", "surfaces"},
    "Campbell": {"model_name", "shaft", "orders", "crossings", "kinds", "pose", "shapes", "shapes_at"},
    "Floquet": {"model_name", "shaft", "multipliers"},
    "FrequencyResponse": {"model_name", "response", "inputs", "outputs", "pose", "shapes", "shapes_at"},
    "LinearModel": {"A", "B", "C", "D", "inputs", "outputs", "input_units", "output_units", "imposed"},
    "LoadedContact": {"rounds", "positions_per_pitch", "side", "name", "faces", "widths", "flank_limits", "contacts",
                      "edges", "a", "b", "placement_b", "angle_b"},
    "FlankContact": {"patches", "a", "b", "side", "method", "name"},
    "ContactPatch": {"across", "across_pressure", "pressure_inside", "slope", "outline"},
    "RigidContact": {
        "faces", "teeth", "strip_roll_length", "strip_gap", "flank_limits", "side", "measured", "place_a", "place_b", "point",
        "normal",
    },
    "ElasticGear": {"teeth", "material", "grids", "compliance", "offsets", "bore", "rigid", "traces", "symmetric", "missing_teeth"},
    **{name: {"name", "angle", "unit", "components", "over", "speed_name", "speed_unit"}
       for name in ("OrderMap", "OrderSpectrum", "OrderTrack", "Spectrum", "Spectrogram", "Folded", "PeakHold")},
}  # fmt: skip
"""What is no number with a unit: words, objects, complex numbers and arrays over grids."""


@pytest.mark.parametrize("name", CLASSES)
def test_numbers_of_results_and_parts_are_properties_of_figures(name: str) -> None:
    """A new number has a unit in the table of properties, or is named above."""
    cls = CLASSES[name]
    fields = set(getattr(cls, "__dataclass_fields__", ()))
    public = {key for key in dir(cls) if not key.startswith("_") and not callable(inspect.getattr_static(cls, key))}
    methods = set(METHODS.get(name, ()))
    found = (fields | public) - {"kind", "warnings", "operating_point"} - WORDS.get(name, set())
    assert found <= set(properties(name)), (
        f"{name}: {sorted(found - set(properties(name)))} have no unit in property_units"
    )
    assert set(properties(name)) <= fields | public | methods, sorted(set(properties(name)) - fields - public - methods)
