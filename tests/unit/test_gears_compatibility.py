"""Pairs that cannot mesh: each criterion names the pair, says both values and the way out."""

from typing import Any

import pytest

from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair, Rack, centre_distance, profile_shift_sum

SPUR = Gear(teeth=20, normal_module="2 mm")
HELICAL = SPUR.with_(helix_angle="15 deg")
BEVEL = SPUR.with_(cone_angle="45 deg")
RING = SPUR.with_(teeth=60, internal=True)
WORM = Gear(starts=2, normal_module="2 mm", lead_angle="10 deg")
RACK = Rack(teeth=20, normal_module="2 mm")


@pytest.mark.parametrize(
    "a, b, options, parts",
    [
        (SPUR, SPUR.with_(normal_module="2.5 mm"), {}, ["normal modules differ: 2 mm and 2.5 mm"]),
        (SPUR, SPUR.with_(normal_pressure_angle="25 deg"), {}, ["pressure angles differ: 20 deg and 25 deg"]),
        (
            HELICAL,
            HELICAL,
            {},
            ["15 deg and 15 deg", "add to 30 deg", "Make the second -15 deg", 'shaft_angle="30 deg"'],
        ),
        (HELICAL, SPUR, {}, ["15 deg and 0 deg", "Make the second -15 deg"]),
        (
            HELICAL,
            HELICAL.with_(helix_angle="-15 deg"),
            dict(shaft_angle="30 deg"),
            ["30 deg", "add to 0 deg", "Make the second 15 deg"],
        ),
        (
            HELICAL,
            HELICAL,
            dict(shaft_angle="40 deg"),
            ["shaft angle is 40 deg", "add to 30 deg", "Make the second 25 deg"],
        ),
        (
            HELICAL,
            HELICAL.with_(profile_shift=0.1),
            dict(shaft_angle="30 deg"),
            ["0 and 0.1", "crossed helical", "must be zero"],
        ),
        (
            HELICAL,
            HELICAL,
            dict(shaft_angle="30 deg", centre_distance="50 mm"),
            ["given as 50 mm", "crossed helical pair touch at 41.41"],
        ),
        (RING, RING, {}, ["both wheels are internal (60 and 60 teeth)"]),
        (SPUR, RING.with_(teeth=20), {}, ["internal wheel has 20 teeth, the pinion inside it 20"]),
        (
            HELICAL,
            RING.with_(helix_angle="-15 deg"),
            {},
            ["15 deg and -15 deg", "same helix angle. Make the second 15 deg"],
        ),
        (RING, BEVEL, {}, ["not with a bevel of cone angle 45 deg"]),
        (RING, WORM, {}, ["not with a worm"]),
        (RING, RACK, {}, ["cannot mesh with a rack"]),
        (SPUR, RING, dict(shaft_angle="10 deg"), ["axes of an internal pair are parallel", "10 deg"]),
        (BEVEL, SPUR, {}, ["a bevel gear meshes only with a bevel gear", "45 deg and 0 deg"]),
        (BEVEL, RACK, {}, ["45 deg and a rack"]),
        (
            BEVEL,
            BEVEL.with_(teeth=40),
            {},
            ["28.284271 mm and 56.568542 mm", "90 deg make them 26.565051 deg and 63.434949 deg"],
        ),
        (
            BEVEL.with_(cone_angle="90 deg"),
            BEVEL.with_(cone_angle="-90 deg"),
            {},
            ["90 deg and 90 deg add to 180 deg", "less than 180 deg"],
        ),
        (BEVEL, BEVEL, dict(shaft_angle="80 deg"), ["add to 90 deg", "shaft angle is 80 deg", "40 deg and 40 deg"]),
        (
            BEVEL.with_(helix_angle="35 deg"),
            BEVEL.with_(helix_angle="35 deg"),
            {},
            ["35 deg and 35 deg", "Make the second -35 deg", "centre_distance"],
        ),
        (BEVEL.with_(profile_shift=0.2), BEVEL, {}, ["0.2 and 0", "must be zero. Make the second -0.2"]),
        (
            BEVEL.with_(helix_angle="35 deg"),
            BEVEL.with_(helix_angle="-30 deg"),
            dict(centre_distance="30 mm"),
            ["given as 30 mm", "hypoid pair touch at"],
        ),
        (WORM, SPUR, {}, ["shaft angle is 90 deg", "80 deg and 0 deg", "Make the second 10 deg"]),
        (WORM, SPUR.with_(teeth=40, helix_angle="10 deg", profile_shift=0.3), {}, ["worm", "working pitch cylinder"]),
        (SPUR, RACK, dict(shaft_angle="20 deg"), ["shaft angle is 20 deg", "0 deg and 0 deg"]),
        (HELICAL, RACK, {}, ["15 deg and 0 deg", "a rack at an angle"]),
        (RACK, SPUR, {}, ["Specify the pinion first and the rack second"]),
        (SPUR, "wheel", {}, ["expected two gears"]),
        (SPUR, SPUR, dict(centre_distance="37 mm"), ["37 mm is too small", "37.587705 mm", "touch at 40 mm"]),
        (SPUR, SPUR, dict(centre_distance="39 mm"), ["39 mm", "overlap by", "without backlash at 40 mm"]),
        (SPUR, SPUR, dict(centre_distance="45 mm"), ["do not touch each other", "22 mm and 22 mm", "40 mm"]),
        (SPUR, SPUR, dict(centre_distance="-1 mm"), ["must not be negative"]),
        (SPUR, SPUR, dict(centre_distance="40 deg"), ["centre_distance: expected length"]),
        (SPUR, SPUR, dict(shaft_angle="200 deg"), ["from 0 to 180 deg, got 200 deg"]),
        (
            SPUR.with_(profile_shift=-0.3),
            SPUR.with_(profile_shift=-0.6),
            {},
            ["-0.3 and -0.6", "leave no working pressure angle", "more than -0.8"],
        ),
    ],
)
def test_criteria(a: Any, b: Any, options: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(ModelError) as caught:
        GearPair(a, b, what='pair "mesh"', **options)
    message = str(caught.value)
    assert message.startswith('pair "mesh": ')
    for part in parts:
        assert part in message


def test_rounded_input_is_accepted() -> None:
    """Cone and helix angles rounded to a thousandth of a degree, modules to six figures."""
    a = Gear(teeth=20, normal_module=0.002, cone_angle="26.565 deg", helix_angle="35.001 deg")
    b = Gear(teeth=40, normal_module=0.002000001, cone_angle="63.435 deg", helix_angle="-35 deg")
    assert GearPair(a, b, shaft_angle="90 deg").kind == "spiral bevel"
    assert GearPair(WORM, SPUR.with_(teeth=40, helix_angle="10.001 deg")).kind == "worm"


def test_hypoid_angle() -> None:
    a, b = BEVEL.with_(helix_angle="35 deg"), BEVEL.with_(helix_angle="-30 deg")
    with pytest.raises(ModelError) as caught:
        GearPair(a, b, centre_distance="1 m")
    fits = str(caught.value).split("touch at ")[1].split(". ")[0]
    with pytest.raises(ModelError, match=r"given as 80 deg.*give 90.109014 deg"):
        GearPair(a, b, centre_distance=fits, shaft_angle="80 deg")
    assert GearPair(a, b, centre_distance=fits).kind == "hypoid"


@pytest.mark.parametrize("call", [lambda a, b: centre_distance(a, b), lambda a, b: profile_shift_sum(a, b, "41 mm")])
def test_functions_check_too(call: Any) -> None:
    with pytest.raises(ModelError, match=r"normal modules differ"):
        call(SPUR, SPUR.with_(normal_module=0.003))
    with pytest.raises(ModelError, match=r"opposite angles"):
        call(HELICAL, HELICAL)
    with pytest.raises(ModelError, match=r"cylindrical wheels only"):
        call(BEVEL, BEVEL)
