"""Statics leaves friction out, and says so where friction could carry a load."""

import math
import re
from typing import Any

import pytest
from references import worm

import pitchline as pl
from pitchline.analyses.statics import _failure
from pitchline.engine.solvers.equilibrium import Balance


def worm_pair(friction: Any = None, *, held: str = "worm", torque: float = 100.0, **mesh: Any) -> pl.Model:
    """A worm of tan γ = 0.1 and its wheel, under a torque on the wheel."""
    data = worm.RUNNING
    m = pl.Model("worm")
    a = m.gear_body("worm", data.worm, position=(0, 0, 0), axis="z")
    b = m.gear_body("wheel", data.wheel, mesh_with=a, towards=(1, 0, 0))
    first, second = (m.revolute(f"bearing {w.name}", m.ground, w) for w in (a, b))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(1e8, friction=friction, **mesh))
    m.torque("load", second, torque)
    if held:
        m.drive("hold", first if held == "worm" else second, angle=0.0)
    return m


def test_friction_that_could_hold_a_load_is_told() -> None:
    """μ cot γ / cos α of the torque of the worm."""
    result = pl.statics(worm_pair(0.05))
    (warning,) = [text for text in result.warnings if "friction" in text]
    assert 'gear pair "mesh"' in warning
    force = float(result["mesh.normal_force"].final)
    assert f"{force:.4g} N" in warning
    gamma = worm.RUNNING.lead_angle
    assert f"{100 * 0.05 / math.tan(gamma) / math.cos(worm.RUNNING.alpha):.2g} %" in warning


def test_a_worm_that_locks_itself_is_named() -> None:
    (warning,) = [text for text in pl.statics(worm_pair(0.2)).warnings if "friction" in text]
    assert "self-locking" in warning


@pytest.mark.parametrize(
    "friction", (pl.Stribeck(0.06, 0.03, 0.1), ([0.0, 1.0], [0.06, 0.03])), ids=("Stribeck", "table")
)
def test_the_coefficient_is_that_at_rest(friction: Any) -> None:
    (warning,) = [text for text in pl.statics(worm_pair(friction)).warnings if "friction" in text]
    assert "0.06" in warning


def test_losses_are_told() -> None:
    m = pl.Model("losses")
    common: dict[str, Any] = {"normal_module": "4 mm", "face_width": "20 mm"}
    a = m.gear_body("a", pl.Gear(teeth=20, **common), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, **common), mesh_with=a, towards=(1, 0, 0))
    first, second = (m.revolute(f"hinge {w.name}", m.ground, w) for w in (a, b))
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(efficiency=0.9))
    m.drive("hold", first, angle=0.0)
    m.torque("load", second, 100.0)
    assert any("efficiency 0.9" in text for text in pl.statics(m).warnings)


def test_nothing_is_told_where_it_does_not_matter() -> None:
    """No load; no friction; teeth that roll at the pitch point; a small loss."""
    assert not pl.statics(worm_pair(0.05, torque=0.0)).warnings
    assert not pl.statics(worm_pair(None)).warnings
    common: dict[str, Any] = {"normal_module": "4 mm", "face_width": "20 mm"}
    for mesh in (pl.Elastic(1e8, friction=0.1), pl.Elastic(1e8, efficiency=0.99)):
        m = pl.Model("rolling")
        a = m.gear_body("a", pl.Gear(teeth=20, helix_angle=0.3, **common), position=(0, 0, 0), axis="z")
        b = m.gear_body("b", pl.Gear(teeth=30, helix_angle=-0.3, **common), mesh_with=a, towards=(1, 0, 0))
        first, second = (m.revolute(f"hinge {w.name}", m.ground, w) for w in (a, b))
        m.gear_pair("mesh", a, b, mesh=mesh)
        m.drive("hold", first, angle=0.0)
        m.torque("load", second, 100.0)
        assert not any("statics does not include friction" in text for text in pl.statics(m).warnings)


def test_a_worm_that_only_friction_holds() -> None:
    """Nothing but friction holds this one: where no equilibrium is found the message says why and what to do."""
    message = _failure(worm_pair(0.2, held=""), Balance(False, 100, 1.0, "the torque on the wheel is not balanced"))
    assert re.search(r'does not include friction, such as that of gear pair "mesh".*drive, or use dynamics', message)
    assert "friction" not in _failure(worm_pair(None, held=""), Balance(False, 100, 1.0, "the torque is not balanced"))
