"""Messages of the import of gear units from REXS: file, line, component, attribute and reason."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from references.rexs_builder import RexsBuilder, bevel_unit, pair_of_shafts, saved, worm_unit
from references.rexs_files import TWO_STAGE

import pitchline as pl
from pitchline.exchange.safe_xml import ExchangeError

Change = Callable[[RexsBuilder, dict[str, int]], None]


def _without_teeth(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(ids["pinion"], number_of_teeth=None)


def _no_position(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(ids["input_a"], u_coordinate_on_shaft_inner_side=None)


def _circle(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(ids["input"], reference_component_for_position=ids["output"])
    b.change(ids["output"], reference_component_for_position=ids["input"])


def _not_square(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(ids["input"], w_axis_vector=(0.1, 0, 1))


def _two_flanks(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(b.flanks(ids["pinion"])[1], normal_pressure_angle=22.0)


def _thick(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(ids["input"] + 1, inner_diameter_begin=30.0)


def _missing_part(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.relations.append(("assembly", None, [("assembly", ids["input"]), ("part", 999)]))


def _same_gear(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.relations.append(("stage", None, [("stage", ids["stage"]), ("gear_1", ids["pinion"]), ("gear_2", ids["pinion"])]))


def _too_close(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(ids["output"], support_vector=(0, 55.0, 0))


def _power_without_speed(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(ids["input"], rotational_speed=None)
    b.change(ids["load"], torque_around_u_axis=None, power=5.0)


def _many_teeth(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.change(ids["pinion"], number_of_teeth=10**9)


def _second_unit(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.add("gear_unit", "Other")


def _on_two_shafts(b: RexsBuilder, ids: dict[str, int]) -> None:
    b.relate("assembly", assembly=ids["output"], part=ids["pinion"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            _without_teeth,
            r'component 8 \(cylindrical_gear "Pinion"\), attribute "number_of_teeth": the value is missing',
        ),
        (_no_position, r'"input a"\), attribute "support_vector": the position is missing'),
        (_circle, r'attribute "reference_component_for_position": refers to itself through other components'),
        (_not_square, r'attribute "w_axis_vector": must be perpendicular'),
        (
            _two_flanks,
            r'"Pinion right"\), attribute "normal_pressure_angle": differs from the value of the other flank',
        ),
        (_thick, r"component 5 \(shaft_section\): .*bore 30 mm must be smaller than the outer diameter 25 mm"),
        (_missing_part, r"relation \d+ \(assembly\) refers to component 999, which does not exist"),
        (_same_gear, r'"Stage"\): has the same gear twice'),
        (_too_close, r'"Stage"\): .*'),
        (_power_without_speed, r'attribute "power": needs the speed'),
        (_many_teeth, r'attribute "number_of_teeth": must be from 1 to 10000'),
        (_second_unit, r'"Other"\): is the second gear unit'),
        (_on_two_shafts, r'"Pinion"\): is on two shafts'),
    ],
)
def test_messages_name_line_component_and_attribute(change: Change, words: str, tmp_path: Path) -> None:
    unit, ids = pair_of_shafts()
    change(unit, ids)
    with pytest.raises(ExchangeError, match=words) as caught:
        pl.from_rexs(saved(unit, tmp_path))
    assert re.search(r"unit\.rexs, line \d+: ", str(caught.value))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mesh": "soft"}, 'mesh must be one of "elastic"'),
        ({"shafts": 3}, 'shafts must be one of "elastic", "rigid"'),
        ({"bearings": "none"}, "bearings must be one of"),
        ({"gear_shift": 0}, "gear_shift must be an integer from 1"),
        ({"load_case": 9}, "there is no load case 9. Load cases of the file: 1, 2"),
        ({"load_case": "a"}, "load_case must be a number"),
        ({"load_case": 1.5}, "load_case must be a number"),
        ({"load_case": "7/1"}, "there is no load case 7/1"),
    ],
)
def test_wrong_options(options: dict[str, object], words: str) -> None:
    with pytest.raises(pl.PitchlineError, match=words):
        pl.from_rexs(TWO_STAGE, **options)


def test_a_model_from_elsewhere_has_no_origin() -> None:
    with pytest.raises(pl.ModelError, match="was not made from a REXS file"):
        pl.rexs_origin(pl.Model("other"))


def test_other_errors_of_units(tmp_path: Path) -> None:
    unit, ids = bevel_unit()
    unit.change(ids["stage"], hypoid_offset=10.0)
    with pytest.raises(ExchangeError, match='attribute "hypoid_offset": hypoid gears cannot be imported'):
        pl.from_rexs(saved(unit, tmp_path))
    unit, ids = bevel_unit()
    unit.change(ids["pinion"], pitch_angle=30.0)
    with pytest.raises(ExchangeError, match=r"must be 26\.5651 deg"):
        pl.from_rexs(saved(unit, tmp_path))
    unit, ids = worm_unit()
    unit.change(ids["worm"], lead_angle_worm_gear=12.0)
    with pytest.raises(ExchangeError, match=r'attribute "lead_angle_worm_gear": must be 9\.09'):
        pl.from_rexs(saved(unit, tmp_path))
