"""REXS documents: what is read from XML, JSON and archives, and messages for files that break the standard."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from pitchline.exchange.rexs.component import RexsDocument
from pitchline.exchange.rexs.reading import read_rexs
from pitchline.exchange.safe_xml import ExchangeError

TWO_STAGE = Path(__file__).parents[1] / "references" / "rexs" / "two_stage.rexs"


@pytest.fixture(scope="module")
def two_stage() -> RexsDocument:
    return read_rexs(TWO_STAGE)


def model(body: str, head: str = 'version="1.7" applicationId="a" applicationVersion="1" date="d"') -> str:
    return f"<model {head}>{body}</model>"


def parts(*components: str) -> str:
    return model("<components>\n" + "\n".join(components) + "\n</components>")


def written(tmp_path: Path, text: str | bytes, name: str = "a.rexs") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_the_two_stage_gear_unit_is_read_completely(two_stage: RexsDocument) -> None:
    assert (two_stage.version, two_stage.application_id, two_stage.language) == ("1.7", "pitchline", "en")
    assert (len(two_stage.components), len(two_stage.relations), len(two_stage.spectra)) == (55, 67, 1)
    assert [part.id for part in two_stage.parts_of(5)] == [8, 9, 10, 11, 21, 53, 54]
    assert [shaft.name for shaft in two_stage.of_type("shaft")] == ["Input shaft", "Intermediate shaft", "Output shaft"]
    stage = two_stage.relations_of("stage")[0]
    assert (stage.role("gear_1"), stage.role("gear_2"), stage.role("nothing")) == (21, 22, None)
    assert two_stage.spectra[0].accumulation[44].attributes["nominal_rating_life_time_iso_281_2007"].value == 41250.0


def test_numbers_are_in_si_units_and_coded_arrays_are_decoded(two_stage: RexsDocument) -> None:
    shaft = two_stage.components[5]
    assert shaft.number("rotational_speed") == pytest.approx(1500 * 2 * np.pi / 60, rel=1e-15)
    np.testing.assert_allclose(two_stage.components[6].require_numbers("support_vector"), [0.0, 0.085, 0.0], rtol=1e-15)
    np.testing.assert_array_equal(shaft.require_numbers("w_axis_vector"), [0.0, 0.0, 1.0])
    assert shaft.flag("defines_speed") is True
    assert shaft.reference("reference_component_for_position") == 1
    assert shaft.number("length") is None


def test_a_load_case_replaces_only_its_attributes(two_stage: RexsDocument) -> None:
    changed = two_stage.with_case(1, 2)
    assert changed.components[5].number("rotational_speed") == pytest.approx(30 * np.pi)
    assert changed.components[5].flag("defines_speed") is True
    assert two_stage.components[5].number("rotational_speed") == pytest.approx(50 * np.pi)
    with pytest.raises(ExchangeError, match=r"load spectrum 1 has no load case 7\. Known: 1, 2"):
        two_stage.with_case(1, 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("hello", "neither XML, nor JSON, nor a zip archive"),
        ("<gearbox/>", "root element is <gearbox>"),
        ("<model/>", "the version is missing"),
        (model("", 'version="new"'), '"new" is not a version of REXS'),
        (parts('<component id="1"/>'), r"line 2: component 1: the type is missing"),
        (parts('<component type="shaft"/>'), r"line 2: component \(shaft\): the id is missing"),
        (parts('<component id="x" type="shaft"/>'), '"x" is not an integer'),
        (parts('<component id="1" type="shaft"/>', '<component id="1" type="shaft"/>'), "used twice, first in line 2"),
        (parts('<component id="1" type="shaft"><attribute/></component>'), "an attribute has no id"),
        ('<!DOCTYPE model [<!ENTITY a "b">]><model/>', "document type or an entity"),
        ("<model", "not valid XML"),
        ("[1]", 'the key "model" with an object is missing'),
        ('{"model": 1}', 'the key "model" with an object is missing'),
        ('{"model": {"version": "1.7", "version": "1.6"}}', 'the key "version" occurs twice'),
        ('{"model": {"version": NaN}}', "not valid JSON"),
        ("[" * 5000, "nested more than 200 deep"),
        ('{"model": {"version": "1.7", "components": {}}}', '"components" is not a list'),
        ('{"model": {"version": "1.7", "components": [1]}}', "not an object: 1"),
    ],
)
def test_files_that_break_the_standard(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ExchangeError, match=message):
        read_rexs(written(tmp_path, text))


def test_an_archive_contains_one_model_and_other_files(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("anything.rexs", TWO_STAGE.read_bytes())
        archive.writestr("data/mesh.inp", b"*NODE")
        archive.writestr("__MACOSX/anything.rexs", b"x")
    document = read_rexs(path)
    assert (document.container, document.files) == ("zip", {"data/mesh.inp": b"*NODE"})
    assert len(document.components) == 55
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("second.rexsj", b"{}")
    with pytest.raises(ExchangeError, match=r"must contain one REXS file .* found 2: anything\.rexs, second\.rexsj"):
        read_rexs(path)


def zipped(tmp_path: Path, members: dict[str, bytes]) -> Path:
    path = tmp_path / "a.rexsz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"a.rexs": b"<model/>", "../../etc/x": b"1"}, "outside the archive"),
        ({"folder/a.rexs": b"<model/>"}, "one REXS file .* at its top level, found none"),
        ({"a.rexs": b"not XML"}, "neither XML, nor JSON, nor a zip archive"),
        ({"a.rexs": b"PK\x03\x04 an archive in an archive"}, "neither XML, nor JSON, nor a zip archive"),
    ],
)
def test_archives_that_are_refused(tmp_path: Path, members: dict[str, bytes], message: str) -> None:
    with pytest.raises(ExchangeError, match=message):
        read_rexs(zipped(tmp_path, members))


@pytest.mark.slow
def test_a_small_archive_of_large_files_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"a.rexs": b"<model/>", "zeros": bytes(201 * 1024**2)})
    assert path.stat().st_size < 2_000_000
    with pytest.raises(ExchangeError, match=r"the files in the archive have 201\.0 MB, the limit is 200\.0 MB"):
        read_rexs(path)


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    data = zipped(tmp_path, {"a.rexs": TWO_STAGE.read_bytes()}).read_bytes()
    for wrong in (
        data[: len(data) // 2],
        b"PK\x03\x04",
        data.replace(b"a.rexs", b"b.rexs", 1),
        data[:40] + bytes(200) + data[240:],
    ):
        with pytest.raises(ExchangeError, match=r"a\.rexsz"):
            read_rexs(written(tmp_path, wrong, "a.rexsz"))


def test_old_names_units_and_types_are_understood(tmp_path: Path) -> None:
    text = parts(
        '<component id="1" type="fixed_coupling"/>',
        '<component id="2" type="rolling_bearing_with_catalog_geometry"><attribute id="dynamic_capacity" unit="kN">14</attribute>'
        '<attribute id="name">6202</attribute><attribute id="operating_point_stiffness_dF_u_d_v_rot" unit="N / rad">3</attribute>'
        "</component>",
        '<component id="3" type="cylindrical_gear"><attribute id="helix_angle_reference_diameter" unit="°">90</attribute>'
        '<attribute id="tip_diameter">50</attribute><attribute id="normal_module" unit="mum">2000</attribute></component>',
        '<component id="4" type="gear_casing"><attribute id="temperature_lubricant" unit="C">60</attribute></component>',
    )
    document = read_rexs(written(tmp_path, text))
    bearing, gear = document.components[2], document.components[3]
    assert [part.id for part in document.of_type("coupling")] == [1]
    assert bearing.number("radial_dynamic_load_rating") == 14000.0
    assert bearing.string("catalogue_designation") == "6202"
    assert bearing.number("operating_point_stiffness_f_u_rot_v") == 3.0
    assert gear.number("helix_angle_reference_diameter") == pytest.approx(np.pi / 2)
    assert gear.number("tip_diameter") == 0.05  # the unit of the standard
    assert gear.number("normal_module") == pytest.approx(0.002)
    assert document.components[4].number("temperature_lubricant") == pytest.approx(333.15)


def test_errors_of_values_name_file_line_component_and_attribute(tmp_path: Path) -> None:
    text = parts('<component id="7" type="shaft" name="S">\n<attribute id="length" unit="kg">5</attribute></component>')
    shaft = read_rexs(written(tmp_path, text)).components[7]
    with pytest.raises(
        ExchangeError,
        match=r'a\.rexs, line 3: component 7 \(shaft "S"\), attribute "length": "5" has the unit "kg" \(mass\)',
    ):
        shaft.number("length")
    with pytest.raises(ExchangeError, match=r'line 2: component 7 .* attribute "face_width": the value is missing'):
        shaft.require_number("face_width")


def test_accumulation_next_to_the_spectrum_and_components_without_type_in_json(tmp_path: Path) -> None:
    text = """{"model": {"version": "1.4", "components": [{"id": 1, "type": "shaft"}],
      "load_spectrum": {"id": 1, "load_cases": [{"id": 1, "components": [{"id": 1, "attributes": []}]}]},
      "accumulation": {"components": [{"id": 1, "attributes": [{"id": "custom_sum", "integer": 3}]}]}}}"""
    document = read_rexs(written(tmp_path, text, "a.rexsj"))
    assert document.spectra[0].cases[0].components[1].type == "shaft"
    assert document.spectra[0].accumulation[1].attributes["custom_sum"].value == 3
