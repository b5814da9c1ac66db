"""Signals over the mesh cycle, and the pictures of meshes and planets."""

import numpy as np
import pytest

import pitchline as pl
from pitchline.parts.meshes.drawing import steady_mesh
from pitchline.results.status import SignalError
from pitchline.views import plot_load_sharing, plot_mesh

T = np.linspace(0.0, 1.0, 1001)


def wave(cycles=10.0, shift=0.0, sense=1.0, noise=0.0):
    """A force that is cos(2π phase) of a phase that starts at `shift`; every other cycle is larger by `noise`."""
    way = cycles * T
    phase = np.mod(sense * way + shift, 1.0)
    size = 1.0 + noise * (np.floor(sense * way + shift) % 2)
    force = pl.Signal("mesh.normal_force", 5.0 + size * np.cos(2 * np.pi * phase), T, "N")
    return force, pl.Signal("mesh.phase", phase, T)


def run(cycles=10.0, **options):
    force, phase = wave(cycles, **options)
    return pl.Result(kind="dynamics", model_name="m", time=T, signals={s.name: s for s in (force, phase)})


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.999])
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_cycles_fall_on_each_other_whatever_their_start_and_sense(shift, sense):
    folded = pl.fold(*wave(10.0, shift, sense))
    assert folded.cycles == 10
    np.testing.assert_allclose(folded.mean, 5.0 + np.cos(2 * np.pi * folded.phase), atol=1e-3)
    assert np.max(folded.high - folded.low) < 2e-3


def test_the_band_is_what_cycles_differ_by():
    folded = pl.fold(*wave(10.0, noise=0.5))
    assert folded.high[0] - folded.low[0] == pytest.approx(0.5, abs=1e-2)
    assert folded.mean[0] == pytest.approx(6.25, abs=1e-2)


def test_the_rest_at_the_end_is_left_out():
    assert pl.fold(*wave(2.7)).cycles == 2


@pytest.mark.parametrize(
    ("signals", "words"),
    [
        (wave(0.6), "0.6 cycles"),
        (wave(400.0), "between two samples"),
        ((wave()[0], pl.Signal("angle", T, T, "rad")), "is in rad"),
        ((wave()[0], pl.Signal("mesh.phase", 0.5 + 0.4 * np.sin(7.0 * T), T)), "turns back"),
    ],
)
def test_what_cannot_be_folded_says_why(signals, words):
    with pytest.raises(SignalError, match=words):
        pl.fold(*signals)


def test_the_steady_part_is_the_end_of_a_run_up():
    t = np.linspace(0.0, 2.0, 4001)
    way = np.where(t < 1.0, 25.0 * t**2, 25.0 + 50.0 * (t - 1.0))
    phase = pl.Signal("mesh.phase", np.mod(way, 1.0), t)
    found = steady_mesh(pl.Result(kind="dynamics", model_name="m", time=t, signals={phase.name: phase}), "mesh")
    assert found.frequency == pytest.approx(50.0, rel=0.02) and found.start == pytest.approx(1.475, abs=0.01)


def test_mesh_chart_has_spectrum_and_cycle(tmp_path):
    figure = plot_mesh(run(20.0), "mesh", path=tmp_path / "mesh.svg")
    spectrum, cycle = figure.axes
    assert "mesh frequency 20 Hz" in spectrum.get_title(loc="left")
    line = max(spectrum.lines, key=lambda line: len(line.get_xdata()))
    top = np.argmax(line.get_ydata())
    assert (line.get_xdata()[top], line.get_ydata()[top]) == pytest.approx((20.0, 1.0), rel=0.02)
    assert cycle.get_xlabel() == "fraction of the mesh cycle"


@pytest.mark.parametrize(("cycles", "words"), [(300.0, "too few"), (1.5, "mesh cycles"), (0.0, "do not pass")])
def test_mesh_chart_says_why_there_is_none(cycles, words):
    with pytest.raises(pl.PitchlineError, match=words):
        plot_mesh(run(cycles), "mesh")


def test_cycle_plots_itself(tmp_path):
    figure = pl.fold(*wave()).plot(path=tmp_path / "cycle.pdf")
    assert figure.axes[0].get_ylabel() == "normal force (N)"


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_load_sharing_is_drawn(tmp_path, suffix):
    share = np.stack([1.0 + 0.1 * np.sin(T), np.ones_like(T), 1.0 - 0.1 * np.sin(T)], axis=1)
    figure = plot_load_sharing(pl.LoadSharing(T, share, share), path=tmp_path / f"share{suffix}")
    assert [ax.get_ylabel() for ax in figure.axes] == ["share at the sun", "share at the ring"]
    assert "1.084" in figure.get_suptitle()
