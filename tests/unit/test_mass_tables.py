"""Tables of mass properties: units, centre, products of inertia, placement, errors."""

import json

import numpy as np
import pytest

import pitchline as pl
from pitchline.exchange.mass_table import import_mass_table
from pitchline.exchange.safe_xml import ExchangeError

HEAD = "name, mass [kg], x [mm], y [mm], z [mm], ixx [kg*mm^2], iyy [kg*mm^2], izz [kg*mm^2]"


def table(folder, text, name="parts.csv"):
    file = folder / name
    file.write_text(text)
    return file


def test_a_solid_by_centre_origin_tensor_and_integrals_is_the_same(tmp_path) -> None:
    solid = (
        pl.bar("0.2 m", "0.05 m", "0.03 m", density=7800).turned(pl.Rotation((1, 2, 3), 0.5)).moved((0.1, 0.2, -0.3))
    )
    c = solid.centre_of_mass
    at_origin = solid.inertia + solid.mass * (c @ c * np.eye(3) - np.outer(c, c))
    for about, inertia in (("centre of mass", solid.inertia), ("origin", at_origin)):
        for products, sign in (("tensor", 1.0), ("integrals", -1.0)):
            values = {"name": "bar", "mass": solid.mass, **dict(zip("xyz", c.tolist(), strict=True))}
            values |= {f"i{a}{a}": inertia[i, i] for i, a in enumerate("xyz")}
            values |= {"ixy": sign * inertia[0, 1], "ixz": sign * inertia[0, 2], "iyz": sign * inertia[1, 2]}
            units = {"mass": "kg", "length": "m", "inertia": "kg*m^2"}
            file = table(tmp_path, json.dumps({"units": units, "parts": [values]}), "bar.json")
            (part,) = pl.read_mass_table(file, about=about, products=products)
            assert part.solid.mass == solid.mass
            assert np.abs(part.solid.inertia - solid.inertia).max() < 1e-13 * at_origin.max()


def test_units_in_the_head_or_in_the_values_and_placement(tmp_path) -> None:
    text = (
        f"# from CAD\n{HEAD}, px [in], qw, qx, qy, qz\narm, 2.5, 10, 0, 0, 0.1 g*m^2, 200, 250, 2, 0.6, 0.8, 0, 0\n\n"
    )
    (part,) = pl.read_mass_table(table(tmp_path, text))
    assert part.name == "arm"
    assert part.solid.centre_of_mass == pytest.approx([0.01, 0, 0])
    assert np.diag(part.solid.inertia) == pytest.approx([1e-4, 2e-4, 2.5e-4])
    assert part.position == pytest.approx([0.0508, 0, 0])
    assert np.allclose(part.orientation, pl.Rotation("x", 2 * np.arctan2(0.8, 0.6)).matrix)


def test_semicolons_and_import(tmp_path) -> None:
    file = table(tmp_path, f"{HEAD}\narm, 1, 0, 0, 0, 3, 4, 5\n".replace(",", ";"))
    model = import_mass_table(file).model
    assert model.bodies["arm"].inertia[2, 2] == pytest.approx(5e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the table is empty"),
        (HEAD + "\n", "the table has no rows"),
        (HEAD.replace("mass [kg]", "mass") + "\na, 1, 0, 0, 0, 3, 4, 5", 'line 2, part "a": mass has no unit'),
        (HEAD + "\na, 1, 0, 0, 0, 3, 4", "line 2: 7 values, but 8 columns"),
        (HEAD + "\na, 1, 0, 0, 0, 3, 4, 50", "no body has the principal moments"),
        (HEAD + "\na, -1, 0, 0, 0, 3, 4, 5", "mass"),
        (HEAD + "\na, 0, 0, 0, 0, 0, 0, 0", "mass must be greater than zero"),
        (HEAD + "\na, nan, 0, 0, 0, 3, 4, 5", "mass is not a finite number"),
        (HEAD + "\na, x, 0, 0, 0, 3, 4, 5", "mass"),
        (HEAD + f"\na, {'7' * 400}, 0, 0, 0, 3, 4, 5", "mass is not a finite number below"),
        (HEAD + "\n, 1, 0, 0, 0, 3, 4, 5", "the name is missing"),
        (HEAD + "\na, 1, 0, 0, 0, 3, 4, 5\na, 1, 0, 0, 0, 3, 4, 5", 'line 3: the name "a" is already used in line 2'),
        (HEAD.replace("izz", "jzz") + "\na, 1, 0, 0, 0, 3, 4, 5", 'the column "jzz" is unknown'),
        (HEAD.replace("[kg]", "[mm]") + "\na, 1, 0, 0, 0, 3, 4, 5", "mass"),
        (HEAD + ", ixy [kg*mm^2]\na, 1, 0, 0, 0, 3, 4, 5, 1", 'Specify products="tensor"'),
        (HEAD + ", qw\na, 1, 0, 0, 0, 3, 4, 5, 1", "four columns"),
    ],
)
def test_wrong_tables(tmp_path, text, message) -> None:
    with pytest.raises(ExchangeError, match=message):
        pl.read_mass_table(table(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("3", "expected a list of tables"),
        ('{"parts": [], "units": {"size": "m"}}', '"size" is unknown'),
        ('[{"name": "a", "weight": 3}]', 'the column "weight" is unknown'),
        ('[{"name": "a", "mass": %s}]' % ("7" * 400), 'part "a": mass is not a finite number below 1e\\+100, got 777'),
        ('[{"name": "a", "mass": -1e101}]', "mass is not a finite number below"),
    ],
)
def test_wrong_json(tmp_path, text, message) -> None:
    with pytest.raises(ExchangeError, match=message):
        pl.read_mass_table(table(tmp_path, text, "parts.json"))


def test_wrong_choices(tmp_path) -> None:
    file = table(tmp_path, HEAD + "\na, 1, 0, 0, 0, 3, 4, 5")
    with pytest.raises(ExchangeError, match='about must be one of "centre of mass" and "origin"'):
        pl.read_mass_table(file, about="centroid")
    with pytest.raises(ExchangeError, match=r"must be a \.csv or a \.json file"):
        pl.read_mass_table(table(tmp_path, "", "parts.txt"))
