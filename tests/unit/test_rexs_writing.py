"""REXS documents: writing in all containers and versions, nothing is lost."""

import io
import itertools
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from references.rexs_files import ALL_VALUES, TWO_STAGE, archive_of, document_of

from pitchline.base.storage.free_names import StorageError
from pitchline.exchange.rexs.component import RexsAttribute, RexsDocument
from pitchline.exchange.rexs.reading import read_rexs
from pitchline.exchange.rexs.to_rexs import write_rexs
from pitchline.exchange.rexs.xml_writing import json_text, xml_text
from pitchline.exchange.safe_xml import ExchangeError

ENDINGS = ("rexs", "rexsj", "rexsz")


@pytest.fixture(scope="module", params=["two stages", "all values"])
def document(request: pytest.FixtureRequest) -> RexsDocument:
    return read_rexs(TWO_STAGE) if request.param == "two stages" else document_of(ALL_VALUES)


@pytest.mark.parametrize(("first", "second"), list(itertools.product(ENDINGS, repeat=2)))
def test_a_document_is_equal_after_two_containers(
    document: RexsDocument, first: str, second: str, tmp_path: Path
) -> None:
    once = read_rexs(write_rexs(document, tmp_path / f"a.{first}"))
    twice = read_rexs(write_rexs(once, tmp_path / f"b.{second}"))
    assert once == document
    assert twice == document
    assert once.container == {"rexs": "xml", "rexsj": "json", "rexsz": "zip"}[first]


def test_numbers_keep_their_text_in_xml(document: RexsDocument) -> None:
    again = document_of(xml_text(document))
    for component in document.components.values():
        for name, attribute in component.attributes.items():
            assert again.components[component.id].attributes[name].text == attribute.text


def test_writing_is_reproducible_and_does_not_depend_on_the_container(document: RexsDocument) -> None:
    assert xml_text(document_of(json_text(document))) == xml_text(document).replace(">+9.81<", ">9.81<")
    assert json_text(document_of(xml_text(document))) == json_text(document)


def test_the_json_text_is_json_with_types_as_keys() -> None:
    model = json.loads(json_text(document_of(ALL_VALUES)))["model"]
    attributes = {item["id"]: item for item in model["components"][0]["attributes"]}
    assert attributes["account_for_gravity"]["boolean"] is True
    assert attributes["custom_code"]["string"] == "007"
    assert attributes["gravitational_acceleration"]["floating_point"] == 9.81
    assert model["relations"][1]["order"] == 1


def test_types_of_a_json_file_survive_xml(tmp_path: Path) -> None:
    text = """{"model": {"version": "1.7", "components": [{"id": 1, "type": "gear_unit", "answer": {"a": [1, null]}, "attributes": [
      {"id": "custom_a", "string": "5"}, {"id": "custom_b", "floating_point": 5}, {"id": "custom_c", "enum": "x"},
      {"id": "custom_d", "string": "true"}, {"id": "custom_e", "boolean_matrix": [[true, false]]},
      {"id": "custom_f", "integer": null}
    ]}]}}"""
    document = document_of(text)
    again = document_of(xml_text(document))
    assert again == document
    found = json.loads(json_text(again))["model"]["components"][0]
    assert found["answer"] == '{"a": [1, null]}'
    assert [list(item)[1] for item in found["attributes"]] == [
        "string",
        "floating_point",
        "enum",
        "string",
        "boolean_matrix",
        "string",
    ]
    assert found["attributes"][0]["string"] == "5"


def test_files_of_an_archive_are_kept_and_need_an_archive(tmp_path: Path) -> None:
    source = tmp_path / "in.rexsz"
    source.write_bytes(archive_of(ALL_VALUES.encode()))
    document = read_rexs(source)
    assert read_rexs(write_rexs(document, tmp_path / "out.rexsz")) == document
    with zipfile.ZipFile(io.BytesIO((tmp_path / "out.rexsz").read_bytes())) as archive:
        assert archive.read("data/points.gde") == b"0 1 2\n"
    with pytest.raises(ExchangeError, match=r'1 file of its archive, for example "data/points\.gde".*\.rexsz'):
        write_rexs(document, tmp_path / "out.rexs")


def test_an_existing_file_is_not_replaced(tmp_path: Path) -> None:
    document = read_rexs(TWO_STAGE)
    path = write_rexs(document, tmp_path / "a.rexs")
    with pytest.raises(StorageError, match="overwrite=True"):
        write_rexs(document, path)
    write_rexs(document, path, overwrite=True, container="json")
    assert read_rexs(path).container == "json"


def test_version_2_has_other_names_and_units_and_back() -> None:
    old = read_rexs(TWO_STAGE)
    new = _converted(old, "2.0.0")
    tool, steel = new.components[41], new.components[4]
    assert tool.attributes["tip_corner_radius_factor_reference_profile"].text == "0.3"
    assert "tip_radius_factor" not in tool.attributes
    assert steel.attributes["elastic_modulus"].unit == "MPa"
    assert steel.number("elastic_modulus") == old.components[4].number("elastic_modulus") == 2.06e11
    assert tool.number("tip_corner_radius_factor_reference_profile") == 0.3
    back = _converted(new, "1.7")
    assert {number: part.attributes for number, part in back.components.items()} == {
        number: part.attributes for number, part in old.components.items()
    }


def test_a_file_of_version_1_0_is_written_as_1_7() -> None:
    text = """<model version="1.0"><relations>
      <relation id="1" type="ordered_reference" order="1"><ref id="2" role="origin"/><ref id="3" role="referenced"/></relation>
      <relation id="2" type="flank"><ref id="4" role="gear"/><ref id="2" role="left"/><ref id="2" role="right"/></relation>
    </relations><components>
      <component id="1" type="fixed_coupling"/>
      <component id="2" type="flank_geometry"><attribute id="normal_pressure_angle" unit="°">20</attribute></component>
      <component id="3" type="rack_shaped_tool"/>
      <component id="4" type="bevel_gear"/>
      <component id="5" type="concept_bearing"><attribute id="static_capacity" unit="kN">11.4</attribute></component>
    </components></model>"""
    old = document_of(text)
    new = _converted(old, "1.7")
    assert [part.type for part in new.components.values()][:3] == ["coupling", "bevel_gear_flank", "rack_shaped_tool"]
    assert new.components[2].attributes["normal_pressure_angle"].unit == "deg"
    assert new.components[5].attributes["radial_static_load_rating"].text == "11.4"
    assert old.components[5].number("radial_static_load_rating") == 11400.0
    step = new.relations_of("manufacturing_step")[0]
    assert (step.role("workpiece"), step.role("tool"), step.order) == (2, 3, 1)
    with pytest.raises(ExchangeError, match=r"version 1\.7 cannot be written as version 1\.0"):
        _converted(new, "1.0")
    with pytest.raises(ExchangeError, match=r'"3\.0" is not a version of REXS'):
        _converted(new, "3.0")


def test_what_xml_cannot_hold_is_refused() -> None:
    document = document_of('{"model": {"version": "1.7", "components": [{"id": 1, "type": "x", "two words": "1"}]}}')
    with pytest.raises(ExchangeError, match='the key "two words" is not a valid name in XML'):
        xml_text(document)
    document.components[1].extra = {}
    document.components[1].attributes["a"] = RexsAttribute("a", "bell \x07")
    with pytest.raises(ExchangeError, match=r'component 1 \(x\), attribute "a": the text contains the character'):
        xml_text(document)
    assert document_of(json_text(document)) == document


def test_a_namespace_prefix_is_written_again() -> None:
    text = '<r:model xmlns:r="urn:rexs" version="1.7"><r:components><r:component id="1" type="shaft"/></r:components></r:model>'
    document = document_of(text)
    assert document.components[1].type == "shaft"
    assert '<r:component id="1" type="shaft"/>' in xml_text(document)
    assert document_of(xml_text(document)) == document
    assert document_of(xml_text(replace(document, prefix=""))) == document


def _converted(document: RexsDocument, version: str) -> RexsDocument:
    from pitchline.exchange.rexs.export_results import converted

    return converted(document, version)
