"""Several results in one picture: signals, tooth pairs, contact of flanks, plots of files, and the command line."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.elastic_pair import COARSE, gears

import pitchline as pl
from pitchline import files, views
from pitchline.cli import main
from pitchline.errors import PitchlineError
from pitchline.results import Result, Signal

TIME = np.linspace(0.0, 0.02, 81)


def run(shift: float = 0.0, *, last: float = 0.02) -> Result:
    """Three teeth that pass one after the other, each for 10 ms and 8 ms after the last."""
    t = np.linspace(0.0, last, 81)
    pairs = np.zeros((81, 8))
    for k in range(3):
        start = 8e-3 * k - 4e-3 + shift
        pairs[:, k] = np.where((t > start) & (t < start + 10e-3), 100.0 + 10.0 * k, 0.0)
    position = np.column_stack([t, 2.0 * t, 0.0 * t])
    signals = [
        Signal("mesh.pair_forces", pairs, t, "N"),
        Signal("mesh.contact_force", pairs.sum(axis=1), t, "N"),
        Signal("gear.angular_speed", 20.0 + np.sin(900.0 * t + shift), t, "rad/s"),
        Signal("gear.position", position, t, "m"),
    ]
    return Result(kind="dynamics", model_name="pair", time=t, signals={s.name: s for s in signals})


def labels(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_signals_of_results_share_panels() -> None:
    other = run(1e-3)
    figure = run().plot("mesh.contact_force", "gear.angular_speed", others={"nodes": other}, label="strips")
    assert [labels(ax) for ax in figure.axes] == [["strips", "nodes"]] * 2
    drawn = figure.axes[0].lines[1].get_xydata()
    assert drawn[:, 1] == pytest.approx(other["mesh.contact_force"].values)


def test_components_are_drawn_with_theirs() -> None:
    figure = run().plot("gear.position", others={"nodes": run()}, label="strips")
    assert labels(figure.axes[0]) == ["x strips", "y strips", "z strips", "x nodes", "y nodes", "z nodes"]


def test_a_result_and_a_signal_beside_it() -> None:
    bench = Signal("force", np.full(81, 90.0), TIME, "N")
    figure = run().plot("mesh.contact_force", others={"nodes": run(), "bench": bench})
    assert labels(figure.axes[0]) == ["computed", "nodes", "bench"]


def test_results_without_the_signals_are_refused() -> None:
    empty = Result(kind="dynamics", model_name="arm", time=TIME, signals={})
    with pytest.raises(PitchlineError, match="has none of the signals mesh"):
        run().plot("mesh.contact_force", others={"other": empty})
    with pytest.raises(PitchlineError, match="must be a signal without components"):
        run().plot("mesh.contact_force", others={"other": 3.0})  # type: ignore[dict-item]


def test_the_same_tooth_pairs_have_the_same_colours() -> None:
    """Passages that begin later, or are there in one of both results only, do not shift the colours."""
    for shift, last in ((1e-3, 0.02), (5e-3, 0.02), (1e-3, 0.006)):
        figure = views.plot_tooth_pairs(
            run(), "gear.angular_speed", others={"nodes": run(shift, last=last)}, label="strips"
        )
        lines = [line for line in figure.axes[0].lines if line.get_label().startswith("_")]
        colour = {round(line.get_ydata().max()): line.get_color() for line in lines if line.get_linewidth() == 0.9}
        assert len(set(colour.values())) == len(colour) == 3
        for line in lines:
            assert line.get_color() == colour[round(line.get_ydata().max())]
        assert labels(figure.axes[0]) == ["all pairs, strips", "all pairs, nodes"]
        assert labels(figure.axes[1]) == ["strips", "nodes"]


def test_one_result_is_drawn_as_before() -> None:
    figure = views.plot_tooth_pairs(run(), "gear.angular_speed")
    assert labels(figure.axes[0]) == ["all pairs"] and figure.axes[1].get_legend() is None


# ------------------------------------------------------------------------------------------------------- contact of flanks


@cache
def contact(method: str) -> pl.FlankContact:
    a, b = gears()
    more: dict[str, Any] = {"modes": (10, 10)} if method == "nodes" else {"strips": 8, "cells": 7}
    return pl.flank_contact(a, b, torque=[20.0, 60.0], method=method, elements_a=COARSE, elements_b=COARSE, **more)


@pytest.mark.slow
def test_outlines_of_another_method_are_drawn_over_nodes(tmp_path: Path) -> None:
    path = tmp_path / "nodes.png"
    figure = contact("nodes").plot(others={"cells": contact("cells")}, label="nodes", path=path)
    assert path.stat().st_size > 1000
    for t, ax in enumerate(figure.axes[:2]):
        dots = sum(len(one.get_offsets()) for one in ax.collections)
        assert dots == sum(patch.places_in_contact for patch in contact("nodes").patches[t][0])
        assert labels(ax) == ["cells"] and ax.get_title(loc="left").endswith("N·m, nodes")
    with pytest.raises(PitchlineError, match="only on the flank"):
        contact("nodes").plot("teeth", others={"cells": contact("cells")})
    a, b = gears()
    elsewhere = pl.flank_contact(a, b, torque=[20.0, 60.0], phase=0.2, elements_a=COARSE, elements_b=COARSE)
    with pytest.raises(PitchlineError, match="cells has no position at phase 0"):
        contact("nodes").plot(others={"cells": elsewhere})


# ------------------------------------------------------------------------------------------------------------------- files

ROTOR = """
name = "rotor"
[parameters]
way = { choices = ["first", "second", "both"] }
[bodies.disk]
mass = 1
inertia = [1, 1, 2]
[joints.hinge]
kind = "revolute"
a = "ground"
b = "disk"
[drives.motor]
joint = "hinge"
speed = "300 rpm"
[[analyses]]
name = "coarse"
kind = "kinematics"
duration = "0.1 s"
step = "10 ms"
when = { value = "= way", is = ["first", "both"] }
[[analyses]]
name = "fine"
kind = "kinematics"
duration = "0.1 s"
step = "1 ms"
when = { value = "= way", is = ["second", "both"] }
"""
PLOT = '[plot]\nanalysis = "coarse"\nothers = ["fine"]\nsignals = ["hinge.angle"]\n'


@pytest.mark.parametrize("way, drawn", [("first", ["coarse"]), ("second", ["fine"]), ("both", ["coarse", "fine"])])
def test_plots_of_files_draw_the_analyses_that_ran(way: str, drawn: list[str], tmp_path: Path) -> None:
    file = files.read(ROTOR + PLOT, overrides={"way": way})
    done = file.run()
    assert file.plots[0].drawn(done) == drawn and file.draws(done)
    file.draw(done, tmp_path / "rotor.png")
    assert (tmp_path / "rotor.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "old, new, key, message",
    [
        ('["fine"]', '["coarse"]', "plot.others[0]", "there is no other analysis of this type"),
        ('["fine"]', '["rough"]', "plot.others[0]", "there is no other analysis of this type"),
        ('["fine"]', '"fine"', "plot.others", "must be a list of names"),
        ('signals = ["hinge.angle"]', 'what = "state"', "plot.others", 'has no "others"'),
    ],
)
def test_wrong_others(old: str, new: str, key: str, message: str) -> None:
    (problem,) = files.check(ROTOR + PLOT.replace(old, new))
    assert problem.key == key and message in problem.message


def test_results_are_drawn_over_each_other_at_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, shift in (("a", 0.0), ("b", 1e-3)):
        run(shift).save(f"{name}.nc")
    assert main(["plot", "a.nc", "mesh.contact_force", "--with", "b.nc", "-o", "both.png"]) == 0
    assert Path("both.png").stat().st_size > 1000
    assert main(["plot", "a.nc", "mesh.contact_force", "--with", "b.nc", "--spectrum"]) == 1
    assert "--with is for signals over time" in capsys.readouterr().err
    assert main(["plot", "a.nc", "mesh.contact_force", "--with", "c.nc"]) == 1
