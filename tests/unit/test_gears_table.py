"""Data sheets: every quantity with its symbol, none that does not apply."""

import math

import pytest

from pitchline.gears import Gear, GearPair, Rack, data_sheet, data_sheet_text
from pitchline.parts.gears.geometry.table import _PAIR, _WHEEL

SPUR = Gear(teeth=18, normal_module="2 mm", face_width="10 mm")


def test_values() -> None:
    rows = {row.symbol: row for row in data_sheet(SPUR)}
    assert rows["d"].value == pytest.approx(0.036) and rows["d"].unit == "m"
    assert rows["d_a"].name == "tip_diameter"
    assert "R_m" not in rows  # infinite
    pair = {row.symbol: row.value for row in data_sheet(GearPair(SPUR, SPUR.with_(teeth=37)))}
    assert pair["ε_α"] == pytest.approx(1.613898525724494)
    assert pair["a"] == pytest.approx(0.055)


def test_only_what_applies() -> None:
    bevel = {row.symbol for row in data_sheet(SPUR.with_(cone_angle="45 deg", face_width=None))}
    assert "R_m" in bevel and not {"d_b", "d_Ff", "b"} & bevel
    rack = {row.symbol for row in data_sheet(Rack(teeth=10, normal_module=0.002))}
    assert {"m_n", "p_t", "s_n"} <= rack and "d" not in rack
    crossed = GearPair(*[SPUR.with_(helix_angle="30 deg")] * 2, shaft_angle="60 deg")
    assert "ε_α" in {row.symbol for row in data_sheet(crossed)}


def test_text() -> None:
    text = data_sheet_text(GearPair(SPUR, SPUR))
    assert text.startswith("spur pair\n")
    assert "α_wt" in text and "20 deg" in text and "36 mm" in text


@pytest.mark.parametrize("cls, table", [(Gear, _WHEEL), (GearPair, _PAIR)])
def test_symbols_are_those_of_the_docstrings(cls: type, table: tuple[tuple[str, str, str], ...]) -> None:
    """Each property begins its docstring with the symbol and says the unit."""
    for symbol, name, unit in table:
        attribute = getattr(cls, name, None)
        if attribute is None:  # a field, described with the class
            continue
        text = attribute.__doc__
        assert text.startswith(symbol) or symbol in text.split("=")[0], name
        assert not unit or f"[{unit}]" in text, name


def test_nothing_is_infinite() -> None:
    for item in (SPUR, GearPair(SPUR, Rack(teeth=9, normal_module=0.002))):
        assert all(math.isfinite(row.value) for row in data_sheet(item))
