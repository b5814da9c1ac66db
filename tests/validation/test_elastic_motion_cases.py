"""Elastic gears in motion against Do, Ziegler and Eberhard (Arch. Mech. Eng. 60, 2013), figures 4 to 15.

The paper prints curves, not numbers. What it says in words is asserted as it is said. Numbers are those of an independent
computation of the same runs with all flank nodes of 8-node grids 0.06 mm apart, node to node, unilateral, modes to 80 kHz
and residual compliance: it knows no strips and no tables of gaps. What the paper leaves open is chosen alike in both: bores of
0.4 pitch diameters, the relief, the damping.

Each run is done once. The finite elements of the beveloid gears take half a minute where they are not in the cache.
"""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline import gallery
from pitchline.gallery.figures import Run
from pitchline.parts.meshes.results import tooth_pair_forces

STATIC = {20: 575.2312283653579, 100: 2876.1561418267893, 200: 5752.312283653579, 300: 8628.468425480369}
"""Total normal force [N] at a torque on the gear [N m], spur and helical: T/(r_b cos β_b)."""


@cache
def run(name: str, **chosen: float) -> Run:
    return gallery.model(name, **chosen).run()


def figures(name: str, **chosen: float) -> dict[str, Any]:
    return {one.key: one.value for one in gallery.model(name, **chosen).figures(run(name, **chosen))}


# ------------------------------------------------------------------------------------------------------- impacts, figure 4


@pytest.mark.parametrize("pair, expected, peak, after", [
    ("spur", [(59.0, 53.8, 2206.0), (233.5, 41.5, 2634.0), (399.0, 53.2, 2241.0)], 0.03, -49.18),
    ("helical", [(58.5, 57.0, 2152.0), (238.0, 44.8, 2425.0), (413.2, 54.0, 2016.0)], 0.04, None),
])  # fmt: skip
def test_three_impacts(pair: str, expected: list[tuple[float, float, float]], peak: float, after: float | None) -> None:
    """Start and duration in µs, within two samples of 1 µs: contact that begins at once or node by node; peaks in N, on which the
    ripple of the highest modes sits. The play of the independent computation is 0.1 mm along the normal of the flanks. On the
    base circle it is greater by 1/cos β_b."""
    sine = {"spur": 0.0, "helical": math.sin(math.radians(8.0)) * math.cos(math.radians(20.0))}[pair]
    found = figures(f"impact-{pair}", backlash=1e-4 / math.cos(math.asin(sine)))
    assert found["count"] == 3
    for (start, duration, force), (start_0, duration_0, force_0) in zip(found["impacts"], expected, strict=True):
        assert 1e6 * start == pytest.approx(start_0, abs=2.5)
        assert 1e6 * duration == pytest.approx(duration_0, abs=2.5)
        assert force == pytest.approx(force_0, rel=peak)
    if after is not None:
        assert found["pinion.speed_after"] == pytest.approx(after, rel=2e-3)
    assert abs(found["energy_drift"]) < 2e-3


def test_impacts_leave_energy_in_the_gears() -> None:
    """Figure 4a: the pinion comes back slower; gears that ring already may give some of it back at a later impact. Helical gears,
    whose bodies are tilted too, take more."""
    lost = {}
    for pair in ("spur", "helical"):
        w = np.abs(run(f"impact-{pair}")["impacts"]["in.angular_speed"].values)
        before = [w[round(1e6 * row[0]) - 2] for row in figures(f"impact-{pair}")["impacts"]]
        assert before[0] == pytest.approx(50.0) and before[0] > before[1] > before[2] and w[-1] < 50.0
        lost[pair] = 1.0 - (before[1] / before[0]) ** 2
    assert 0.02 < lost["spur"] < 0.05 < lost["helical"] < 0.15


# ----------------------------------------------------------------------------------------------- running, figures 5 to 10


@pytest.mark.parametrize("name, low, high", [
    ("meshing-spur-100", 0.95, 1.08),
    ("meshing-spur-100-relieved", 0.98, 1.02),
    ("meshing-helical-100", 0.97, 1.03),
    ("meshing-helical-100-relieved", 0.995, 1.005),
])  # fmt: skip
def test_total_force_about_that_of_the_torque(name: str, low: float, high: float) -> None:
    """The mean is closed form: within 0.3 %, cycles being cut where the record ends. The least and the greatest depend on the
    damping, which is not published; they lie within those of contact node by node (0.87 .. 1.17, 0.977 .. 1.025,
    0.971 .. 1.034 and 0.995 .. 1.005), where nodes that enter one after the other excite as well."""
    found = figures(name)
    assert found["total_force.mean"] == pytest.approx(STATIC[100], rel=3e-3)
    assert low * STATIC[100] < found["total_force.min"] < found["total_force.max"] < high * STATIC[100]


def ripple(name: str) -> float:
    found = figures(name)
    return float((found["total_force.max"] - found["total_force.min"]) / found["total_force.mean"])


def test_relief_quiets_and_helical_teeth_are_quieter() -> None:
    """Figure 10: shocks "considerably reduced" by relief, spur and helical; those of helical teeth smaller from the outset."""
    assert ripple("meshing-spur-100-relieved") < 0.25 * ripple("meshing-spur-100")
    assert ripple("meshing-helical-100-relieved") < 0.3 * ripple("meshing-helical-100")
    assert ripple("meshing-helical-100") < 0.5 * ripple("meshing-spur-100")


def test_the_range_of_the_force_depends_on_damping_that_is_not_published() -> None:
    """Without drag the wheels go on ringing on their teeth: the range is more than three times as wide, the mean stays. Modal
    damping does not reach that ringing."""
    plain = figures("meshing-spur-100")
    free = figures("meshing-spur-100", drag=0.0)
    modes = figures("meshing-spur-100", damping_ratio=0.0)
    spans = [one["total_force.max"] - one["total_force.min"] for one in (plain, free, modes)]
    assert spans[1] > 3.0 * spans[0]
    assert spans[2] == pytest.approx(spans[0], rel=0.1)
    for one in (plain, free, modes):
        assert one["total_force.mean"] == pytest.approx(STATIC[100], rel=3e-3)


def passage(name: str) -> tuple[np.ndarray, np.ndarray]:
    """(phase in pitches, force) of the second tooth pair that comes in; the pinion has 18 teeth and turns at 50 rad/s."""
    result: pl.Result = run(name)["meshing"]
    one = tooth_pair_forces(result)[2]
    return 50.0 * 18.0 / (2.0 * math.pi) * one.time, one.force


def test_a_pair_comes_in_abruptly_without_relief() -> None:
    """Figures 5 and 8: how much of a pitch after its first touch a pair carries a third of the load."""
    rise = []
    for relief in ("", "-relieved"):
        phase, force = passage(f"meshing-spur-100{relief}")
        rise.append(float(phase[np.argmax(force > STATIC[100] / 3.0)] - phase[0]))
    assert rise[0] < 0.08 and rise[1] > 2.0 * rise[0]


# ------------------------------------------------------------------------------------------ torques in stages, figures 11, 12


def test_overlap_grows_with_the_torque() -> None:
    """ "The increase in overlap with increasing driving torques"; deflections nearly proportional to the torque, falling behind as
    contact stiffens and more teeth share."""
    found = figures("torque-stages")
    for torque in (100, 200, 300):
        assert found[f"total_force.mean_{torque}"] == pytest.approx(STATIC[torque], rel=3e-3)
    shares = [found[f"double_contact_{torque}"] for torque in (100, 200, 300)]
    rigid = 1.6139 - 1.0  # ε_α − 1
    assert rigid < shares[0] < shares[1] - 0.03 and shares[1] < shares[2] - 0.03 < 1.0
    per_torque = np.array(found["deflection.mean"]) / (1.0, 2.0, 3.0)
    assert np.all(np.diff(per_torque) < 0.0) and per_torque[2] > 0.85 * per_torque[0]


def test_speed_varies_more_with_the_torque_and_more_with_spur_teeth() -> None:
    """Figure 12: "the change in rotational velocity" grows with the torque, here less than in proportion; the effect "of the
    straight gears is much more significant than of the helical gears". Helical overlap is greater at each torque."""
    spur, helical = figures("torque-stages"), figures("torque-stages-helical")
    for one in (spur, helical):
        change = np.array(one["speed_change"])
        assert np.all(np.diff(change) > 0.0) and np.all(np.diff(change / (1.0, 2.0, 3.0)) < 0.0)
    assert np.all(np.array(spur["speed_change"]) > 2.0 * np.array(helical["speed_change"]))
    for torque in (100, 200, 300):
        assert helical[f"total_force.mean_{torque}"] == pytest.approx(STATIC[torque], rel=3e-3)
        assert helical[f"double_contact_{torque}"] > spur[f"double_contact_{torque}"]


# -------------------------------------------------------------------------------------------------- beveloids, figures 14, 15


@pytest.mark.slow
def test_two_pairs_of_beveloids_at_all_times() -> None:
    """ "There are always two tooth pairs in contact at the same time", at 50 and at 200 rad/s, and the ripple of the speed is
    "directly related to the speed"; the sum of the forces is that of the torque on the mean base circle and flanks at 10 deg."""
    found = {speed: figures(f"beveloid-{speed}") for speed in ("50", "200")}
    for one in found.values():
        assert one["tooth_pairs.min"] == 2
    assert found["200"]["gear.speed_ripple"] > 3.0 * found["50"]["gear.speed_ripple"]
    lever = 38e-3 * math.cos(math.radians(20.0))
    for one in found.values():
        assert one["total_force.mean"] == pytest.approx(1000.0 / lever, rel=0.01)
