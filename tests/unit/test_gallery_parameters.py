"""Models of the gallery with parameters: read with their units, passed on, refused by name."""

import pytest

import pitchline as pl
from pitchline import gallery
from pitchline.cli.jobs import GalleryJob, find_job
from pitchline.gallery import beveloid_motion, elastic_meshing, torque_stages
from pitchline.gallery.parameters import Parameter

NAMES = ("meshing-spur-100", "meshing-helical-20-relieved", "torque-stages", "torque-stages-helical", "beveloid-50")


@pytest.mark.parametrize("name", NAMES)
def test_damping_that_is_not_published_can_be_chosen(name: str) -> None:
    known = gallery.model(name).parameters
    assert set(known) - {"duration"} == {"drag", "damping_ratio"}
    assert all("not published" in one.line for one in known.values())
    given = {"drag": "0.1 N*m*s/rad", "damping_ratio": "0.01"}
    one = gallery.model(name, **given)
    assert one.settings == {"drag": 0.1, "damping_ratio": 0.01}


def test_defaults_are_those_of_the_modules() -> None:
    for module, drag in ((elastic_meshing, 0.67), (torque_stages, 0.67), (beveloid_motion, 5.4)):
        assert module.PARAMETERS["drag"].default == module.DRAG == drag
        assert module.PARAMETERS["damping_ratio"].default == module.DAMPING_RATIO == 0.02


@pytest.mark.parametrize("name", ["meshing-spur-100", "torque-stages-helical"])
def test_parameters_reach_the_model(name: str) -> None:
    """A drag is a damped spring on the bearing of the gear and a part of the brake; none of either without."""
    damped, free = (gallery.model(name, drag=drag, damping_ratio=0.05).build() for drag in (0.3, 0.0))
    assert "drag" in damped.to_toml() and "drag" not in free.to_toml()
    for m in (damped, free):
        assert m.gear_pairs["mesh"].mesh.damping_ratio == 0.05
    assert gallery.model(name).build().gear_pairs["mesh"].mesh.damping_ratio == 0.02


@pytest.mark.parametrize(
    "name, given, words",
    [
        ("meshing-spur-100", {"drag": -0.1}, "meshing-spur-100: drag must not be negative"),
        ("meshing-spur-100", {"drag": "0.1 N*s/m"}, "drag"),
        ("meshing-spur-100", {"drag": "much"}, "drag"),
        ("meshing-spur-100", {"damping_ratio": 2}, "damping_ratio must be from 0 to 1"),
        ("meshing-spur-100", {"damping_ratio": "2 %"}, "damping_ratio must be a number"),
        ("meshing-spur-100", {"damping_ratio": float("nan")}, "damping_ratio must be a number"),
        ("meshing-spur-100", {"drga": 1}, 'no parameter "drga".*drag'),
        ("beveloid-50", {"torque": 1}, 'no parameter "torque"'),
        ("press", {"mass": 1}, 'press.toml:.*there is no parameter "mass" to set'),
    ],
)
def test_what_is_wrong_is_said_before_computing(name: str, given: dict[str, object], words: str) -> None:
    with pytest.raises(pl.PitchlineError, match=words):
        gallery.model(name, **given)


def test_results_say_what_was_set() -> None:
    job = find_job("meshing_spur_100", ["drag=0", "damping_ratio = 0.01"])
    assert isinstance(job, GalleryJob)
    assert job.one.settings == {"drag": 0.0, "damping_ratio": 0.01}
    assert job.source("meshing") == {
        "gallery": "meshing-spur-100", "set": {"drag": "0", "damping_ratio": "0.01"}, "analysis": "meshing",
    }  # fmt: skip
    assert find_job("meshing-spur-100").source("meshing") == {"gallery": "meshing-spur-100", "analysis": "meshing"}


def test_a_plain_text_is_in_si_units() -> None:
    one = Parameter(1.0, "torsional damping", "of something")
    assert one.read("0.5", "x") == one.read("500 N*mm*s/rad", "x") == one.read(0.5, "x") == 0.5
