"""Loaded contact as its users meet it: what is refused, what a result offers, and its pictures."""

from pathlib import Path

import numpy as np
import pytest
from references.loaded_pairs import gear, modified, pair

import pitchline as pl
from pitchline.errors import ModelError, PitchlineError
from pitchline.fem.elastic_gear import elastic_gear
from pitchline.parts.contact.drawing import _PICTURES as PICTURES
from pitchline.parts.contact.drawing import plot_loaded_contact
from pitchline.parts.contact.loaded_contact import loaded_contact
from pitchline.parts.contact.results_flank import LoadedContact
from pitchline.parts.gears.analysis_contact import KeptGears


@pytest.fixture(scope="module")
def run() -> LoadedContact:
    relief = pl.TipRelief("10 um", length="2 mm")
    a, b = pair()
    return loaded_contact(modified(a, relief), modified(b, relief), torque=["20 N*m", 60.0], positions=10)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"torque": 0}, "one or more values with the same sign"),
        ({"torque": [10, -10]}, "one or more values with the same sign"),
        ({"torque": []}, "one or more values with the same sign"),
        ({"torque": "10 N"}, "torque"),
        ({"torque": 10, "positions": 0}, "positions"),
        ({"torque": 10, "resolution": 0.1}, "resolution must be from 1 to 50"),
        ({"torque": 10, "cells": 3}, "cells"),
        ({"torque": 10, "misalignment": "10 deg"}, "misalignment"),
        ({"torque": 10, "face_offset": "12 mm"}, "do not overlap"),
        ({"torque": 10, "centre_distance": "40 mm"}, "too small"),
    ],
)
def test_wrong_arguments_are_said_before_any_computing(options: dict[str, object], words: str) -> None:
    a, b = (one.teeth for one in pair())
    with pytest.raises(ModelError, match=words):
        loaded_contact(a, b, **options)  # type: ignore[arg-type]


def test_wrong_gears_are_said() -> None:
    a, b = pair()
    with pytest.raises(ModelError, match="b must be"):
        loaded_contact(a, 37, torque=1.0)  # type: ignore[arg-type]
    ring = gear(60, internal=True, rim_diameter="0.15 m")
    with pytest.raises(ModelError, match="the pinion first"):
        loaded_contact(ring, a, torque=1.0)
    free = elastic_gear(a.teeth, bore="free", grid={"flank_edge": "0.5 mm", "size": "3 mm"}, cache=False)
    with pytest.raises(ModelError, match="requires a fixed bore"):
        loaded_contact(free, b, torque=1.0)
    conical = pl.Teeth(a.teeth.gear, profile_shift_angle="5 deg")
    with pytest.raises(ModelError, match="misalignment is for cylindrical gears on parallel axes"):
        loaded_contact(conical, b, torque=1.0, misalignment=1e-4)


def test_teeth_are_made_elastic(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def known(teeth: pl.Teeth, **options: object) -> object:
        asked.append(teeth)
        return gear(teeth.gear.teeth)

    monkeypatch.setattr("pitchline.parts.gears.analysis_contact.elastic_gear", known)
    monkeypatch.setattr("pitchline.parts.contact.loaded_contact._kept", KeptGears())  # none of earlier tests
    a, b = pair()
    r = loaded_contact(a.teeth, b.teeth, torque=30.0, positions=2)
    assert asked == [a.teeth, b.teeth]
    direct = loaded_contact(a, b, torque=30.0, positions=2)
    assert r.transmission_error.tolist() == direct.transmission_error.tolist()


def test_shapes_and_identities(run: LoadedContact) -> None:
    t, n, p = 2, 10, len(run.pairs)
    assert run.torque.tolist() == [20.0, 60.0]
    assert run.transmission_error.shape == run.tangent_stiffness.shape == run.max_pressure.shape == (t, n)
    assert run.pair_load.shape == run.load_sharing.shape == (t, n, p)
    assert run.deflection == pytest.approx(run.transmission_error - run.no_load_error)
    assert run.secant_stiffness * run.deflection == pytest.approx(run.force[:, None] * np.ones(n))
    assert run.transmission_error_angle * run.base_radius == pytest.approx(run.transmission_error)
    now = run.flank_load(1, 3)
    assert run.max_pressure[1, 3] == pytest.approx(now.pressure[now.edge == ""].max())
    assert run.edge_pressure[1, 3] == pytest.approx(now.pressure[now.edge != ""].max(initial=0.0))
    assert (now.pressure[now.edge != ""] > 0.0).all()
    assert run.max_line_load[1, 3] == pytest.approx(run.flank_load(1, 3).line_load.max())
    assert run.torque_index(60.0) == 1
    with pytest.raises(PitchlineError, match="only 20, 60"):
        run.torque_index(50.0)


def test_the_spectrum_gives_the_signal_back(run: LoadedContact) -> None:
    """Parseval: half the sum of squares of amplitudes is the variance (all of the last line of an even number)."""
    orders, lines = run.spectrum()
    assert orders.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    power = 0.5 * (lines**2).sum(axis=1) + 0.5 * lines[:, -1] ** 2
    assert power == pytest.approx(run.transmission_error.var(axis=1), rel=1e-9)


def test_an_engagement_is_one_pair_from_end_to_end(run: LoadedContact) -> None:
    place, share = run.engagement(1)
    assert (np.diff(place) > 0.0).all()
    carried = np.flatnonzero(share > 0.0)
    assert np.array_equal(carried, np.arange(carried[0], carried[-1] + 1))
    assert share.max() == pytest.approx(1.0)
    # the shares of one pair over all pitches are those of all pairs over one
    assert share.sum() == pytest.approx(len(run.phase))
    assert 1.0 <= run.loaded_contact_ratio[1] <= len(carried) / 10 + 0.1


def test_the_pattern_covers_what_touches(run: LoadedContact) -> None:
    L, z, p = run.pattern(1)
    assert p.shape == (len(L), len(z))
    highest = max(run.max_pressure[1].max(), run.edge_pressure[1].max())  # the ends of the face belong to the pattern
    assert 0.0 <= p.min() < p.max() <= highest * (1 + 1e-12)
    assert (p > 0.0).any(axis=0).all()


def test_the_table_has_a_line_for_each_torque(run: LoadedContact) -> None:
    lines = run.table().splitlines()
    assert len(lines) == 4
    assert lines[2].split()[0] == "20" and lines[3].split()[0] == "60"
    assert "contact ratio 1.6139" in str(run)
    assert repr(run) == "LoadedContact(18/37 teeth: 2 torques x 10 positions)"


@pytest.mark.parametrize("what", PICTURES)
def test_pictures_are_drawn(run: LoadedContact, what: str, tmp_path: Path) -> None:
    figure = plot_loaded_contact(run, what, path=tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 5000
    assert all(ax.get_xlabel() or what == "overview" for ax in figure.axes[:1])


def test_pictures_show_the_numbers(run: LoadedContact) -> None:
    ax = plot_loaded_contact(run, "transmission error").axes[0]
    shown = ax.get_lines()[2].get_ydata()
    assert np.asarray(shown)[:-1] == pytest.approx(1e6 * run.transmission_error[1])
    bars = plot_loaded_contact(run, "spectrum").axes[0].patches
    assert bars[0].get_height() == pytest.approx(1e6 * run.spectrum()[1][0, 0])


def test_unknown_pictures_are_refused(run: LoadedContact) -> None:
    with pytest.raises(PitchlineError, match='no picture "patern"; did you mean "pattern"'):
        plot_loaded_contact(run, "patern")
    with pytest.raises(PitchlineError, match="torque is only for"):
        plot_loaded_contact(run, "stiffness", torque=20.0)
