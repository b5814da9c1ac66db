"""Files that are read again, with other values: each reading has its own data, and sees the file as it is."""

from pathlib import Path

import pytest

import pitchline as pl
from pitchline.files import read
from pitchline.files import sources as document
from pitchline.files.sources import read_text
from pitchline.units import quantity

TEXT = """
name = "mass on a spring"
[parameters]
mass = "2 kg"           # of the body
double = "= 2 * mass"
[bodies.block]
mass = "= double"
inertia = [1, 1, 1]
[loads.spring]
kind = "bushing"
a = "ground"
b = "block"
stiffness = ["1 N/m", 1, 1, 1, 1, 1]
[[analyses]]
kind = "statics"
"""


def test_other_values_of_a_text() -> None:
    for mass in (2.0, 5.0, 2.0):
        assert read(TEXT, overrides={"mass": mass}).model.mass == 2.0 * mass
    assert read(TEXT, overrides={"mass": "500 g"}).model.mass == 1.0
    assert read(TEXT).model.mass == 4.0
    assert read(TEXT).declared[0].text == "of the body"


def test_a_file_that_was_changed(tmp_path: Path) -> None:
    path = tmp_path / "block.toml"
    path.write_text(TEXT, "utf-8")
    assert read(path).model.mass == 4.0
    path.write_text(TEXT.replace("2 kg", "3 kg"), "utf-8")
    assert read(path).model.mass == 6.0


def test_data_of_a_document_can_be_changed_without_effect_on_the_next() -> None:
    first = read_text(TEXT, "first")
    first.data["bodies"]["block"]["inertia"].append("wrong")
    del first.data["parameters"]
    second = read_text(TEXT, "second")
    assert second.data["bodies"]["block"]["inertia"] == [1, 1, 1]
    assert second.data["parameters"]["mass"] == "2 kg"
    assert (first.name, second.name) == ("first", "second")
    with pytest.raises(TypeError):
        second.lines["bodies",] = 1  # type: ignore[index]


@pytest.mark.parametrize("name", ["a.toml", "b.toml", "a.toml"])
def test_errors_name_the_file_each_time(name: str) -> None:
    with pytest.raises(pl.ModelError, match=rf"{name}:2: .*is not TOML"):
        read('name = "x"\nbodies = [', source=name)
    with pytest.raises(pl.ModelError, match=rf'{name}:4: parameters.double: unknown parameter "mas"'):
        read(TEXT.replace("2 * mass", "2 * mas").strip(), source=name)


def test_errors_of_quantities_name_the_item_each_time() -> None:
    for what in ("length of a", "length of b"):
        with pytest.raises(pl.UnitError, match=f"{what}: .* does not start with a number"):
            quantity("long", "length", what=what)
        with pytest.raises(pl.UnitError, match=f"{what}: expected length .* got time"):
            quantity("3 s", "length", what=what)
    assert quantity("3 mm", "length", what="a") == quantity("3 mm", "length", what="b") == 3e-3


def test_few_texts_are_kept_and_no_long_ones() -> None:
    document._kept.cache_clear()
    for i in range(document.MOST_KEPT + 3):
        read_text(f"x = {i}\n", "text")
    assert document._kept.cache_info().currsize == document.MOST_KEPT
    document._kept.cache_clear()
    long = read_text("x = 1\n" + "#" * document.LARGEST_KEPT, "text")
    assert long.data == {"x": 1} and document._kept.cache_info().currsize == 0
