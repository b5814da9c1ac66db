"""REXS files that break the standard in ways whose meaning is clear: they are read, and the report contains each repair."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pitchline as pl
from pitchline.exchange.rexs.gearbox import rexs_origin
from pitchline.exchange.safe_xml import ExchangeError

FILE = Path(__file__).parents[1] / "references" / "rexs" / "two_stage.rexs"
Model = dict[str, Any]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Model:
    file = tmp_path_factory.mktemp("rexs") / "two_stage.rexsj"
    pl.write_rexs(pl.read_rexs(FILE), file)
    found: Model = json.loads(file.read_text())
    return found


def forces(m: pl.Model) -> dict[str, float]:
    run = pl.statics(m)
    found = {name: float(run[f"{name}.normal_force"].final) for name in m.gear_pairs}
    loads = run.bearing_loads()
    return found | {f"{name} {key}": loads[name, key] for name in loads.names for key in ("radial", "axial")}


def values(attribute: Model) -> list[str]:
    return [key for key in attribute if key not in ("id", "unit")]


def false_arrays(model: Model) -> None:
    """Arrays without a value as `false`: positions follow from coordinates, centre distances and angles."""
    for component in model["components"]:
        for attribute in component["attributes"]:
            if attribute["id"] in ("support_vector", "u_axis_vector", "w_axis_vector"):
                for key in values(attribute):
                    del attribute[key]
                attribute["boolean"] = False


def false_texts(model: Model) -> None:
    for component in model["components"]:
        for attribute in component["attributes"]:
            if attribute["id"] in ("bearing_type", "catalogue_designation") and values(attribute):
                del attribute[values(attribute)[0]]
                attribute["boolean"] = False


def old_references(model: Model) -> None:
    """Numbers of components before they were renumbered."""
    for component in model["components"]:
        for attribute in component["attributes"]:
            if attribute["id"] == "reference_component_for_position" and component["type"] != "gear_unit":
                attribute[values(attribute)[0]] = 7000 + component["id"]


def numbers_with_a_point(model: Model) -> None:
    for relation in model["relations"]:
        for ref in relation["refs"]:
            ref["id"] = float(ref["id"])


def missing_part(model: Model) -> None:
    unit = next(c["id"] for c in model["components"] if c["type"] == "gear_unit")
    refs = [{"id": unit, "role": "assembly"}, {"id": 8888, "role": "part", "hint": "shaft"}]
    model["relations"].append({"id": 9000, "type": "assembly", "refs": refs})


def empty_section(model: Model) -> None:
    shaft = next(c["id"] for c in model["components"] if c["type"] == "shaft")
    model["components"].append({"id": 5002, "type": "shaft_section", "attributes": []})
    refs = [{"id": shaft, "role": "assembly"}, {"id": 5002, "role": "part"}]
    model["relations"].append({"id": 9001, "type": "assembly", "refs": refs})


def empty_shaft(model: Model) -> None:
    unit = next(c["id"] for c in model["components"] if c["type"] == "gear_unit")
    model["components"] += [{"id": 5001, "type": "shaft", "attributes": []}, {"id": 5002, "type": "shaft_section"}]
    for number, (whole, part) in enumerate(((unit, 5001), (5001, 5002))):
        refs = [{"id": whole, "role": "assembly"}, {"id": part, "role": "part"}]
        model["relations"].append({"id": 9001 + number, "type": "assembly", "refs": refs})


def empty_shaft_on_a_coupling(model: Model) -> None:
    empty_shaft(model)
    shaft = next(c["id"] for c in model["components"] if c["type"] == "shaft")
    model["components"].append({"id": 5003, "type": "coupling", "attributes": []})
    roles = (("assembly", 5003), ("inner_part", shaft), ("outer_part", 5001))
    model["relations"].append({"id": 9003, "type": "side", "refs": [{"id": n, "role": role} for role, n in roles]})


@pytest.mark.parametrize(
    "change, words",
    [
        (false_arrays, 'the value false of "support_vector" is read as no value'),
        (false_texts, 'the value false of "bearing_type" is read as no value'),
        (
            old_references,
            "refers to component 7005, which does not exist; its position is read relative to the gear unit",
        ),
        (numbers_with_a_point, None),
        (missing_part, "relation 9000 (assembly): component 8888 (shaft) does not exist; it is left out"),
        (empty_section, "component 5002 (shaft_section): without length and diameter; left out"),
        (empty_shaft, "component 5001 (shaft): without position and parts, and not connected; left out"),
        (empty_shaft_on_a_coupling, "component 5002 (shaft_section): without length and diameter; left out"),
    ],
)
def test_the_gear_unit_is_the_same(
    change: Callable[[Model], None], words: str | None, original: Model, tmp_path: Path
) -> None:
    """All forces of teeth and bearings are those of the file without errors."""
    changed = copy.deepcopy(original)
    change(changed["model"])
    file = tmp_path / "changed.rexsj"
    file.write_text(json.dumps(changed))
    m = pl.from_rexs(file, bearings="stiffness")
    repairs = rexs_origin(m).report.of("repaired")
    assert not repairs if words is None else any(words in text for text in repairs), repairs
    expected = forces(pl.from_rexs(FILE, bearings="stiffness"))
    found = forces(m)
    for name, force in expected.items():
        assert found[name] == pytest.approx(force, rel=1e-5, abs=0.02), name
    if change is empty_shaft_on_a_coupling:
        assert any("5003 (coupling): without a position" in text for text in rexs_origin(m).report.of("assumed"))
    pl.to_rexs(m, tmp_path / "again.rexsj")  # writes the document as it was, with its errors
    again = json.loads((tmp_path / "again.rexsj").read_text())["model"]
    assert len(again["components"]) >= len(changed["model"]["components"])


def test_what_is_not_clear_is_refused(original: Model, tmp_path: Path) -> None:
    changed = copy.deepcopy(original)
    for relation in changed["model"]["relations"]:
        if relation["type"] == "stage":
            relation["refs"][1]["id"] = 4711
            break
    (tmp_path / "stage.rexsj").write_text(json.dumps(changed))
    with pytest.raises(ExchangeError, match=r"\(stage\) refers to component 4711, which does not exist"):
        pl.from_rexs(tmp_path / "stage.rexsj")
