"""Check of REXS documents: each problem names component, attribute and line."""

# ruff: noqa: E501

from pathlib import Path

import pytest
from references.rexs_files import TWO_STAGE, document_of

from pitchline.cli.program import main
from pitchline.exchange.rexs.checking import check_rexs, check_rexs_file
from pitchline.exchange.rexs.reading import read_rexs

HEAD = '<model version="1.7" applicationId="a" applicationVersion="1" date="d">'


def problems(relations: str, components: str, more: str = "") -> list[str]:
    text = f"{HEAD}\n<relations>\n{relations}\n</relations>\n<components>\n{components}\n</components>{more}</model>"
    return [f"{problem.severity} {problem.line}: {problem.text}" for problem in check_rexs(document_of(text))]


UNIT = '<component id="1" type="gear_unit"/>\n'


def test_the_two_stage_gear_unit_has_no_problem() -> None:
    assert check_rexs(read_rexs(TWO_STAGE)) == []


@pytest.mark.parametrize(
    ("relations", "components", "expected"),
    [
        ("", "", "error 0: a model has exactly one gear_unit, found none"),
        ("", UNIT + '<component id="2" type="gear_unit"/>', "error 7: a model has exactly one gear_unit, found component 1, component 2"),
        (
            '<relation id="1" type="stage"><ref id="1" role="stage"/><ref id="9" role="gear_1"/></relation>', UNIT,
            'error 3: relation 1 (stage): the role "gear_2" is missing',
        ),
        (
            '<relation id="1" type="reference"><ref id="1" role="origin"/><ref id="9" role="referenced"/></relation>', UNIT,
            'error 3: relation 1 (reference): role "referenced": there is no component 9',
        ),
        (
            '<relation id="1" type="x"><ref id="1" role="a"/></relation>\n<relation id="1" type="x"><ref id="1" role="a"/></relation>',
            UNIT, "error 4: relation 1 (x): the id is used twice, first in line 3",
        ),
        ("", UNIT + '<component id="2" type="shaft" name="S"/>', 'warning 7: component 2 (shaft "S") is not in any relation'),
        (
            '<relation id="1" type="assembly"><ref id="1" role="assembly"/><ref id="2" role="part"/></relation>',
            UNIT + '<component id="2" type="shaft"/>', "warning 7: component 2 (shaft) has no shaft_section",
        ),
        (
            '<relation id="1" type="assembly"><ref id="1" role="assembly"/><ref id="2" role="part"/></relation>',
            UNIT + '<component id="2" type="cylindrical_gear"/>', "warning 7: component 2 (cylindrical_gear) is not in a stage",
        ),
        (
            '<relation id="1" type="assembly"><ref id="1" role="assembly"/><ref id="2" role="part"/></relation>',
            UNIT + '<component id="2" type="concept_bearing"/>', "warning 7: component 2 (concept_bearing) has 0 relations of type side. "
            "Expected one, with inner_part and outer_part",
        ),
        (
            '<relation id="1" type="ordered_assembly" order="2"><ref id="1" role="assembly"/><ref id="1" role="part"/></relation>', UNIT,
            "warning 3: component 1: the relations ordered_assembly have the orders [2]. Expected 1 to 1",
        ),
    ],
)  # fmt: skip
def test_structure(relations: str, components: str, expected: str) -> None:
    assert expected in problems(relations, components)


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ('id="normal_module" unit="mm">two', 'error 7: component 2 (shaft "S"), attribute "normal_module": "two" is not a number'),
        ('id="normal_module" unit="mm">1,5', '"1,5" is not a number. Write a point instead of the comma'),
        ('id="normal_module" unit="mm">nan', '"nan" is not a finite number'),
        ('id="normal_module" unit="mm">1e999', '"1e999" is too large for a number'),
        ('id="normal_module" unit="kg">2', 'the unit is "kg" (mass). Expected "mm" (length)'),
        ('id="normal_module" unit="furlong">2', 'the unit "furlong" is unknown. Expected "mm"'),
        ('id="number_of_teeth">17.5', '"17.5" is not an integer'),
        ('id="defines_speed">maybe', '"maybe" is neither "true" nor "false"'),
        ('id="support_vector" unit="mm">5', "is a single value. Expected an array (floating_point_array)"),
        ('id="normal_module" unit="mm"><array><c>1</c></array>', "is an array. Expected a single value (floating_point)"),
        ('id="support_vector"><array code="float64">AAA=</array>', "which is not a multiple of 8 (float64)"),
        ('id="support_vector"><array code="float64">***</array>', "the coded text is not valid base64"),
        ('id="support_vector"><array code="float16">AAA=</array>', 'the code "float16" is unknown'),
        ('id="m"><matrix code="float64" rows="99999" columns="99999">AAAAAAAAAAA=</matrix>', "has 1 coded numbers. Expected 99999 rows"),
        ('id="axial_force_absorption">sideways', 'notice 7: component 2 (shaft "S"), attribute "axial_force_absorption": "sideways" is not one'),
        ('id="load_duration" unit="h">1', 'the name is that of a version before 1.3. It is read as "operating_time"'),
        ('id="reference_component_for_position">7', "there is no component 7"),
        ('id="reference_component_for_position">2', "reference_component_for_position is the component itself"),
    ],
)  # fmt: skip
def test_values(attribute: str, expected: str) -> None:
    components = UNIT + f'<component id="2" type="shaft" name="S"><attribute {attribute}</attribute></component>'
    assert any(expected in problem for problem in problems("", components))


def test_positions_in_a_circle() -> None:
    place = '<attribute id="reference_component_for_position">{}</attribute>'
    components = UNIT + "".join(
        f'<component id="{number}" type="shaft">{place.format(target)}</component>\n'
        for number, target in ((2, 3), (3, 4), (4, 3))
    )
    found = [problem for problem in problems("", components) if "circle" in problem]
    assert found == ["error 8: the positions of the components 3, 4 refer to each other in a circle"]


def test_load_spectra() -> None:
    more = """<load_spectrum id="1"><load_case id="1"><component id="8" type="shaft"/></load_case><load_case id="1">
      <component id="1" type="shaft"/></load_case></load_spectrum><load_spectrum id="1"><load_case id="1"/></load_spectrum>"""
    found = " ".join(problems("", UNIT, more))
    assert "load spectrum 1, load case 1: there is no component 8" in found
    assert "component 1 is of type gear_unit, not shaft" in found
    assert "the id of load case 1 is used twice" in found
    assert "load spectrum 1: the id is used twice" in found


def test_a_file_that_cannot_be_read_has_its_problems_with_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.rexs"
    path.write_text(f'{HEAD}<components>\n<component id="1"/>\n<component/></components></model>')
    document, found = check_rexs_file(path)
    assert document is None
    assert [problem.line for problem in found] == [2, 3]
    assert check_rexs_file(tmp_path / "missing.rexs")[1][0].text.endswith(
        "missing.rexs: cannot be read: No such file or directory"
    )


def test_check_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.xml"  # recognised by its contents
    path.write_text(
        TWO_STAGE.read_text().replace('unit="mm">40.0<', 'unit="kg">40.0<', 1).replace('role="gear_2"', 'role="x"', 1)
    )
    assert main(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert 'error: relation 27 (stage): the role "gear_2" is missing' in out
    assert f'{path}:124: error: component 8 (shaft_section "1.1"), attribute "length": the unit is "kg" (mass)' in out
    assert "REXS 1.7 by pitchline: 55 components" in out
