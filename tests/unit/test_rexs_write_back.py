"""Models that came from a REXS file: only what changed is written back."""

# ruff: noqa: E501

from dataclasses import replace
from pathlib import Path

import pytest
from references.rexs_files import TWO_STAGE

import pitchline as pl
from pitchline.exchange.rexs.importing import from_rexs, import_rexs
from pitchline.functions import Constant


@pytest.mark.parametrize("ending", ["rexs", "rexsj", "rexsz"])
def test_an_imported_model_is_written_without_a_change(tmp_path: Path, ending: str) -> None:
    source = pl.write_rexs(pl.read_rexs(TWO_STAGE), tmp_path / f"in.{ending}")
    report = pl.to_rexs(from_rexs(source), tmp_path / f"out.{ending}")
    assert pl.read_rexs(tmp_path / f"out.{ending}") == pl.read_rexs(TWO_STAGE)
    assert (report.written, report.left_out) == (["no value differs from the file"], [])


def changes(path: Path) -> dict[tuple[int, str], str]:
    """Texts of all attributes that differ from the two-stage gear unit."""
    old, new = pl.read_rexs(TWO_STAGE), pl.read_rexs(path)
    assert (old.relations, old.spectra) == (new.relations, new.spectra)
    return {
        (number, name): attribute.text
        for number, component in new.components.items()
        for name, attribute in component.attributes.items()
        if old.components[number].attributes.get(name) != attribute
    }


def test_only_changed_values_of_a_copy_are_written(tmp_path: Path) -> None:
    m = from_rexs(TWO_STAGE)
    stiffness = m.loads["Bearing 6"].stiffness.copy()
    stiffness[0, 0] *= 1.5
    torque = replace(m.loads["Input"], components=(Constant(60.0), Constant(0.0), Constant(0.0)))
    copy = m.replaced(torque, replace(m.loads["Bearing 6"], stiffness=stiffness))
    copy.gravity = (0, 0, -9.80665)
    report = pl.to_rexs(copy, tmp_path / "a.rexs")
    assert changes(tmp_path / "a.rexs") == {
        (54, "torque_around_u_axis"): "60.0",
        (52, "operating_point_stiffness_f_w_d_w"): "390000000.0",
        (1, "gravitational_acceleration"): "9.80665",
    }
    assert report.left_out == []


def test_changes_of_a_model_file_are_written_with_the_source(tmp_path: Path) -> None:
    text = import_rexs(TWO_STAGE).text
    assert text is not None
    file = tmp_path / "gearbox.toml"
    file.write_text(text)
    pl.to_rexs(pl.load(file).model, tmp_path / "same.rexs", source=TWO_STAGE)
    assert changes(tmp_path / "same.rexs") == {}
    for old, new in (
        ("profile_shift = 0.28", "profile_shift = 0.25"), ('length = "40 mm", outer = "20 mm"', 'length = "40 mm", outer = "22 mm"'),
        ('amount = "15 um"', 'amount = "20 um"'),
    ):  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    file.write_text(text)
    report = pl.to_rexs(pl.load(file).model, tmp_path / "a.rexs", source=TWO_STAGE)
    assert changes(tmp_path / "a.rexs") == {
        (34, "addendum_modification_coefficient"): "0.25", (35, "addendum_modification_coefficient"): "0.25",
        (8, "outer_diameter_begin"): "22.0", (8, "outer_diameter_end"): "22.0",
    }  # fmt: skip
    assert report.left_out == ['"Gear 1": the change of modifications']


def test_a_shared_value_that_changes_for_one_part_is_not_written(tmp_path: Path) -> None:
    text = import_rexs(TWO_STAGE).text
    assert text is not None
    before, after = text.split('[shafts."Input shaft".material]')
    file = tmp_path / "gearbox.toml"
    file.write_text(f'{before}[shafts."Input shaft".material]' + after.replace("7830 kg/m^3", "2700 kg/m^3", 1))
    report = pl.to_rexs(pl.load(file).model, tmp_path / "a.rexs", source=TWO_STAGE)
    assert changes(tmp_path / "a.rexs") == {}
    assert any("density is shared by several parts" in text for text in report.left_out)
    file.write_text(text.replace("7830 kg/m^3", "2700 kg/m^3"))
    pl.to_rexs(pl.load(file).model, tmp_path / "b.rexs", source=TWO_STAGE)
    assert changes(tmp_path / "b.rexs") == {(4, "density"): "2.7"}


def test_values_and_results_of_a_load_case_are_written_to_it(tmp_path: Path) -> None:
    m = from_rexs(TWO_STAGE, load_case=2)
    torque = replace(m.loads["Input"], components=(Constant(-35.0), Constant(0.0), Constant(0.0)))
    copy = m.replaced(torque)
    pl.to_rexs(copy, tmp_path / "a.rexs", results=pl.statics(copy))
    old, new = pl.read_rexs(TWO_STAGE), pl.read_rexs(tmp_path / "a.rexs")
    assert old.components == new.components
    first, second = new.spectra[0].cases
    assert first == old.spectra[0].cases[0]
    assert second.components[54].attributes["torque_around_u_axis"].text == "-35.0"
    assert second.components[5].attributes["rotational_speed"].text == "900.0"
    force = second.components[44].number("force_acting_on_inner_component_w")
    assert force is not None and force != 0.0
    assert new.spectra[0].accumulation == old.spectra[0].accumulation


def test_new_and_missing_parts_are_reported(tmp_path: Path) -> None:
    m = from_rexs(TWO_STAGE)
    copy = m.replaced(without="Input")
    copy.torque("other", copy.shafts["Input shaft"]["Input"], (1, 0, 0))
    report = pl.to_rexs(copy, tmp_path / "a.rexs")
    assert report.left_out == [
        '"Input" is not in the model any more; the file still has it', '"other" is not in the file; new parts are not added',
    ]  # fmt: skip
