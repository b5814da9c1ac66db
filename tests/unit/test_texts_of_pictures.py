"""Names that look like formulas or HTML are shown as they are written, in pictures, reports and pages."""

import html
import io
import re
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import pitchline as pl
from pitchline import views
from pitchline.views import style
from pitchline.views.picture import Picture
from pitchline.views.style import LineName, canvas, formula, name_lines, plain_texts, without_formulas

NAMES = [
    r"$\frac{$ b",
    "a$x$ 5$",
    r"$\mathdefault{$ c",
    r"$\mathdefault{}\x$",
    r"a\$b$c$",
    r"\$ 5",
    "<b>&lt;'\"",
    "*a* `b`|_c_ {0}%s",
]


def drawn(figure: Figure) -> str:
    """Texts of a figure, as a reader sees them."""
    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg")
    return html.unescape(re.sub("<!--.*?-->", "", buffer.getvalue(), flags=re.DOTALL))


def machine(name: str) -> pl.Model:
    """A gear pair at steady speed; all names contain `name`."""
    m = pl.Model(name)
    gears = [pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm") for z in (20, 30)]
    a = m.body(f"{name} a", mass=1, inertia=(1, 1, 1))
    b = m.body(f"{name} b", mass=1, inertia=(1, 1, 1), position=("50 mm", 0, 0), angular_velocity=(0, 0, -40))
    hinges = [m.revolute(f"{name} h{x.name[-1]}", m.ground, x, at=x.position, axis="z") for x in (a, b)]
    wheel = m.wheel(f"{name} wa", a, gears[0])
    m.gear_pair(
        f"{name} p",
        wheel,
        m.wheel(f"{name} wb", b, gears[1], mesh_with=wheel),
        mesh=pl.Elastic(stiffness=1e7, damping=500),
    )
    m.drive(f"{name} drive", hinges[0], speed=60)
    m.torque(f"{name} load", hinges[1], 2.0)
    return m


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_shown_as_they_are_written(name: str) -> None:
    with canvas(title=name, path=None, width=4.0, panel_height=2.0) as c:
        (ax,) = c.axes
        ax.plot([1, 2], [3, 4], label=name)
        ax.set(xlabel=name, ylabel=name)
        ax.set_xticks([1, 2], [name, "other"])
        ax.legend()
        name_lines(ax, right=[LineName(name, 0.5, "k")])
    assert drawn(c.figure).count(f">{name}</text>") == 6


@pytest.mark.slow
def test_every_picture_shows_the_names_of_a_model_as_they_are_written(tmp_path: Path) -> None:
    name = r"$\frac{$ <b>&lt;'\" a\$x$ *{0}%s`"
    m = machine(name)
    run = pl.dynamics(m, duration=0.1, step=2e-4)
    speed = run[f"{name} ha.angular_speed"]
    t = np.linspace(0.0, 20.0, 2001)
    angle, wave = pl.Signal(f"{name} ha.angle", t**2, t, "rad"), pl.Signal(f"{name} p.force", np.sin(5 * t**2), t, "N")
    rising = pl.Signal(f"{name} ha.speed", 2 * t, t, "rad/s")
    study = pl.sweep(lambda x: {name: x}, pl.grid(x=[1.0, 2.0, 3.0]))
    response = pl.frequency_response(
        m, inputs=[f"{name} load"], outputs=[f"{name} hb.angular_speed"], frequencies=[1, 5, 20]
    )
    pictures: dict[str, Any] = {
        "signals": run.plot(speed.name, title=name), "mesh": views.plot_mesh(run, f"{name} p"),
        "scheme": views.plot_scheme(m), "state": m.plot_state(), "modes": pl.modes(m).plot(),
        "spectrum": pl.spectrum(speed).plot(), "map": pl.order_map(wave, angle, max_order=10).plot(),
        "track": pl.order_track(wave, angle, 5).plot(), "peaks": pl.peak_hold(wave, rising).plot(),
        "response": response.plot(), "study": study.plot(),
    }  # fmt: skip
    for what, figure in pictures.items():
        assert name in drawn(figure), what
    run.report(tmp_path / "report.html")
    pl.view(run, path=tmp_path / "page.html")
    for file in ("report.html", "page.html"):
        assert "<b>&lt;'" not in (tmp_path / file).read_text(encoding="utf-8")


def test_numbers_and_formulas_of_the_package_stay_formulas() -> None:
    with matplotlib.rc_context(style.RC):
        figure = Picture(figsize=(4, 3))
        ax, bars = figure.subplots(1, 2)
        ax.plot([1, 2], [1e-7, 2e-7], label=f"{without_formulas('$a$')}, {formula('K_γ')} is 1")
        ax.set_title("cost in $ and in $")
        ax.legend()
        bars.bar(["$a$", r"$\x$"], [1, 2])
        bars.set_xticks([0, 1], ["$a$", r"$\x$"])
        plain_texts(figure)
        seen = drawn(figure)
    assert "cost in $ and in $" in seen
    assert r"$\x$" in seen
    assert "$a$" in seen
    assert "K_γ" not in seen  # as a formula: the letters are separate
    assert "mathdefault" not in seen
    assert "times" not in seen
    bars.set_title(r"$\alpha$")  # of the user, later
    assert r"$\alpha$" not in drawn(figure)
