"""Models of the gallery with parameters: read with their units, passed on, refused by name."""

import pytest

import pitchline as pl
from pitchline import gallery
from pitchline.cli.jobs import find_job
from pitchline.gallery.model_kinds import Parameter
from pitchline.units import quantity

NAMES = ("meshing-spur-100", "meshing-helical-20-relieved", "torque-stages", "torque-stages-helical", "beveloid-50")


def drag_of(one: gallery.GalleryModel) -> float:
    return quantity(one.parameters["drag"], "torsional damping", what="drag")


@pytest.mark.parametrize("name", NAMES)
def test_damping_that_is_not_published_can_be_chosen(name: str) -> None:
    one = gallery.model(name, drag="0.1 N*m*s/rad", damping_ratio="0.01")
    assert isinstance(one, gallery.GalleryFile)
    assert one.parameters["damping_ratio"] == 0.01 and drag_of(one) == 0.1
    assert all("not published" in one.file.descriptions[key] for key in ("drag", "damping_ratio"))
    plain = gallery.model(name).parameters
    assert plain["damping_ratio"] == 0.02
    assert drag_of(gallery.model(name)) == (5.4 if "beveloid" in name else 0.67)


@pytest.mark.parametrize("name", ["meshing-spur-100", "torque-stages-helical"])
def test_parameters_reach_the_model(name: str) -> None:
    """A drag is a damper on the bearing of the gear and a part of the brake."""
    one = gallery.model(name, drag="0.3 N*m*s/rad", damping_ratio=0.05).build()
    assert one.loads["drag"].damping == 0.3
    assert one.gear_pairs["mesh"].mesh.damping_ratio == 0.05
    assert gallery.model(name, drag=0).build().loads["drag"].damping == 0.0
    assert gallery.model(name).build().gear_pairs["mesh"].mesh.damping_ratio == 0.02


def test_the_mass_of_elastic_gears_is_that_of_their_finite_elements() -> None:
    """Less than the blank, by what the spaces take; a change of the gear changes it."""
    model = gallery.model("meshing-spur-100").build()
    for name in ("pinion", "gear"):
        body, gear = model.bodies[name], model.wheels[name].gear
        solid = pl.toothed_solid(gear)
        assert body.mass == solid.mass and body.inertia[2, 2] == pytest.approx(solid.inertia[2, 2], rel=1e-12)
        assert solid.mass == pytest.approx(gear.solid.mass, rel=0.06)
    assert gallery.model("meshing-spur-100", bore=0.5).build().bodies["gear"].mass < model.bodies["gear"].mass


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("meshing-spur-100", {"drag": -0.1}, "drag"),
        ("meshing-spur-100", {"drag": "0.1 N*s/m"}, "drag"),
        ("meshing-spur-100", {"drag": "much"}, "drag"),
        ("meshing-spur-100", {"damping_ratio": 2}, "damping_ratio"),
        ("meshing-spur-100", {"drga": 1}, 'no parameter "drga".*drag'),
        ("beveloid-50", {"torqe": 1}, 'no parameter "torqe"'),
        ("robot-arm", {"speed": "0.01 rad/s"}, "robot-arm: speed must be from 1 to 700"),
        ("robot-arm", {"speed": "2 N"}, "speed"),
        ("robot-arm", {"sped": 1}, 'no parameter "sped".*speed'),
        ("press", {"mass": 1}, 'press.toml:.*there is no parameter "mass" to set'),
    ],
)
def test_what_is_wrong_is_said_before_computing(name: str, given: dict[str, object], words: str) -> None:
    with pytest.raises(pl.PitchlineError, match=words):
        gallery.model(name, **given)


def test_results_say_what_was_set() -> None:
    job = find_job("meshing_spur_100", ["drag=0", "damping_ratio = 0.01"])
    assert job.source("meshing") == {
        "gallery": "meshing-spur-100", "set": {"drag": "0", "damping_ratio": "0.01"}, "analysis": "meshing",
    }  # fmt: skip
    assert find_job("meshing-spur-100").source("meshing") == {"gallery": "meshing-spur-100", "analysis": "meshing"}


def test_a_plain_number_is_in_the_units_of_the_parameter() -> None:
    """In SI: expressions with it go on as before."""
    one, other = (gallery.model("meshing-spur-100", drag=drag) for drag in (0.1, "0.1 N*m*s/rad"))
    assert one.parameters == other.parameters
    assert one.build().describe() == other.build().describe()


def test_a_plain_number_in_place_of_a_frequency_is_in_hz() -> None:
    """As in Python, though speeds of the same dimension are in rad/s."""
    plain, said = (gallery.model("meshing-spur-100", modes=modes) for modes in (60e3, "60 kHz"))
    assert plain.build().gear_pairs["mesh"].mesh.modes == pytest.approx(said.build().gear_pairs["mesh"].mesh.modes)
    assert gallery.model("meshing-spur-100", speed=40).build().describe() == (
        gallery.model("meshing-spur-100", speed="40 rad/s").build().describe()
    )


def test_a_plain_text_is_in_si_units() -> None:
    one = Parameter(1.0, "torsional damping", "of something")
    assert one.read("0.5", "x") == one.read("500 N*mm*s/rad", "x") == one.read(0.5, "x") == 0.5
