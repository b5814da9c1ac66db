"""Do, Ziegler and Eberhard: elastic gears with any flank."""

from functools import cache
from typing import Any

import numpy as np
from references.papers.entry import EQUATION, FIGURE, PARTLY, SECTION, TABLE, Entry, Number, Paper

import pitchline as pl
from pitchline import gallery

__all__ = ["PAPER"]

THEORY = "[theory](../theory/elastic_motion.md#nodes-and-surfaces)"
NODES = {"method": "node to surface"}
SHORT = {"pitches": 2, "modes_a": 300, "modes_b": 300}
"""Of the slowest run, which would take an hour with 1000 modes."""
RUNS = "[Published runs](../reference/elastic_motion_published.md)"


@cache
def _figures(name: str, **settings: Any) -> dict[str, Any]:
    one = gallery.model(name, **settings)
    return {figure.key: figure.value for figure in one.figures(one.run())}


def _impacts() -> list[Number]:
    ours, nodes = _figures("impact-helical"), _figures("impact-helical", **NODES)
    return [
        Number("impacts, strips and published method", "", f"{ours['count']:.0f}, {nodes['count']:.0f}", "three"),
        Number("first peak, strips", "N", float(ours["impacts"][0][2])),
        Number("first peak, published method", "N", float(nodes["impacts"][0][2])),
        Number("speed after the first impact, strips", "rad/s", float(ours["pinion.speed_after"])),
        Number("the same, published method", "rad/s", float(nodes["pinion.speed_after"])),
    ]


def _grid(name: str, published: float) -> list[Number]:
    found = _figures(name)
    return [
        Number("nodes of both gears", "", float(found["pair.nodes"]), published),
        Number("edges on the flanks, pinion", "mm", float(found["pinion.flank_edge"])),
    ]


def _modes() -> list[Number]:
    found = _figures("table1-modes")
    return [
        Number("elastic modes of the pinion below 80 kHz", "", float(len(found["pinion.frequencies"])), "200 used"),
        Number("elastic modes of the gear below 80 kHz", "", float(len(found["gear.frequencies"])), "500 used"),
    ]


def _span(found: dict[str, Any]) -> str:
    return f"{found['total_force.min']:.0f} to {found['total_force.max']:.0f}"


def _meshing(teeth: str, end: str = "", **method: str) -> list[Number]:
    """Mean force and range at 100 and 20 N·m."""
    full, low = (_figures(f"meshing-{teeth}-{torque}{end}", **method) for torque in (100, 20))
    return [
        Number("mean total force at 100 N·m", "N", float(full["total_force.mean"])),
        Number("range of the total force", "N", _span(full)),
        Number("transmission error, peak to peak", "µm", float(full["transmission_error.peak_to_peak"])),
        Number("mean and range at 20 N·m", "N", f"{low['total_force.mean']:.1f}, {_span(low)}"),
    ]


def _ratio(teeth: str, **method: str) -> float:
    ranges = []
    for end in ("", "-relieved"):
        found = _figures(f"meshing-{teeth}-100{end}", **method)
        ranges.append(float(found["total_force.max"] - found["total_force.min"]))
    return ranges[0] / ranges[1]


def _relief(**method: str) -> list[Number]:
    return [
        Number("range of the total force, plain to relieved, spur", "", _ratio("spur", **method), "much smoother"),
        Number("the same, helical", "", _ratio("helical", **method), "reduced"),
    ]


def _relief_by_nodes() -> list[Number]:
    both = [_meshing(teeth, "-relieved", **NODES) for teeth in ("spur", "helical")]
    named = [
        Number(f"{one.quantity}, {teeth}", one.unit, one.ours)
        for teeth, numbers in zip(("spur", "helical"), both, strict=True)
        for one in numbers
    ]
    return [*named, *_relief(**NODES)]


def _stages(**method: str) -> list[Number]:
    found = []
    for teeth, end, paper in (("spur", "", "–"), ("helical", "-helical", "smaller")):
        one = _figures(f"torque-stages{end}", **method)
        shares = ", ".join(f"{100.0 * one[f'double_contact_{torque}']:.0f}" for torque in (100, 200, 300))
        changes = ", ".join(f"{v:.2f}" for v in one["speed_change"])
        found += [
            Number(f"two or more pairs in contact at 100, 200, 300 N·m, {teeth}", "%", shares, "increasing"),
            Number(f"speed change at 100, 200, 300 N·m, {teeth}", "rad/s", changes, paper),
        ]
    return found


def _beveloid(name: str, **method: Any) -> list[Number]:
    found = _figures(name, **method)
    return [
        Number("tooth pairs in contact, at least", "", float(found["tooth_pairs.min"]), 2),
        Number("mean total force", "N", float(found["total_force.mean"])),
        Number("range of the total force", "N", _span(found)),
        Number("speed ripple of the gear", "rad/s", float(found["gear.speed_ripple"])),
    ]


def _patches() -> list[Number]:
    found = _figures("beveloid-contact")
    return [
        Number(f"patch at {torque} N·m, length", "mm", float(found[f"patch_{torque}.length"]))
        for torque in (2500, 10000)
    ]


def _patches_by_nodes() -> list[Number]:
    found = _figures("beveloid-contact", **NODES)
    numbers = []
    for torque in (2500, 10000):
        numbers += [
            Number(f"nodes of the pinion in contact at {torque} N·m", "", float(found[f"nodes_{torque}.count"])),
            Number(f"their patch at {torque} N·m, length", "mm", float(found[f"nodes_{torque}.length"])),
        ]
    return numbers


@cache
def _first_peak(modes: str | tuple[int, int]) -> tuple[float, dict[str, Any]]:
    """Largest force of the first impact of the helical pair by the published method."""
    model = gallery.model("impact-helical").build()
    run = pl.node_contact_motion(model, duration="0.14 ms", output_step="0.5 us", modes=modes)
    return float(run["mesh.contact_force"].values.max()), run.statistics


def _necessary_modes() -> list[Number]:
    peaks = [_first_peak(limit)[0] for limit in ("40 kHz", "80 kHz", "160 kHz")]
    many, sizes = _first_peak((200, 500))
    return [
        Number("highest of 200 modes of the pinion", "kHz", 1e-3 * float(sizes["highest_mode_a"]), "about 80 or more"),
        Number("highest of 500 modes of the gear", "kHz", 1e-3 * float(sizes["highest_mode_b"]), "about 80 or more"),
        Number("first peak, modes up to 40, 80, 160 kHz", "N", ", ".join(f"{peak:.0f}" for peak in peaks)),
        Number("first peak, 200 and 500 modes", "N", many),
        Number("first peak, strips", "N", float(_figures("impact-helical")["impacts"][0][2])),
    ]


def _equilibrium() -> list[Number]:
    gear = gallery.model("meshing-spur-100").file.gears["gear"]
    radius = 0.5 * gear.base_diameter * np.cos(gear.base_helix_angle)
    mean = float(_figures("meshing-spur-100")["total_force.mean"])
    return [Number("force of 100 N·m", "N", float(100.0 / radius)), Number("mean total force at 100 N·m", "N", mean)]


_SAME = "The same by the published method."
_METHOD = 'The same gallery entries with `method = "node to surface"`.'
_STIFFER = "As above. Modes that are left out make the teeth stiffer, and lines of nodes that touch excite vibration."
_NOT_STATED = "The paper draws curves and prints no values. Bore, relief, damping and penalty are not stated."

PAPER = Paper(
    name="do_ziegler_eberhard",
    title="Do, Ziegler and Eberhard: elastic gears with any flank",
    cited="T. P. Do, P. Ziegler and P. Eberhard, *Simulation of elastic gears with non-standard flank profiles*, 2013.",
    about="The paper has gears of finite elements, reduced to modes, in contact on their flanks, without an assumption about the "
    "geometry. In pitchline they are `elastic_gear` and the mesh `Flank`; the method of the paper itself is "
    f"`{pl.node_contact_motion.__name__}`, and its finite element model `{pl.explicit_motion.__name__}`. {RUNS} compares them.",
    entries=(
        Entry("eq. 1, 2", EQUATION, "Motion of an elastic body in a floating frame.", "`Flank`, "
              "[floating frames](../theory/elastic_motion.md#floating-frames).", reproduced=PARTLY,
              why="Coriolis and centrifugal terms of the modes are left out: modes have thousands of hertz."),
        Entry("eq. 3", EQUATION, "Linear equations of finite elements.", "`pl.explicit_motion`, `pl.elastic_gear`."),
        Entry("eq. 4", EQUATION, "Reduction to eigenmodes.", "`pl.gear_modes`, `Flank(modes=...)`.", _modes),
        Entry("eq. 5", EQUATION, "Position of a displaced node.", f"`pl.node_contact_motion`, {THEORY}."),
        Entry("eq. 6", EQUATION, "Bilinear faces of the master surface.", f"`pl.node_contact_motion`, {THEORY}."),
        Entry("eq. 7, 8", EQUATION, "Nearest point of a face.", f"`pl.node_contact_motion`, {THEORY}."),
        Entry("eq. 9", EQUATION, "Penetration along the normal of the face.", f"`pl.node_contact_motion`, {THEORY}."),
        Entry("eq. 10 to 12", EQUATION, "Nodal forces by a penalty, shared by shape functions.",
              f"`pl.node_contact_motion(penalty=...)`, {THEORY}.", _equilibrium),
        Entry("fig. 1, 2", FIGURE, "Coarse and fine search.", f"{THEORY}."),
        Entry("fig. 3", FIGURE, "Finite element models.", "Gallery entries `table1-spur` and `table1-helical`.",
              lambda: _grid("table1-helical", 406000.0)),
        Entry("fig. 4", FIGURE, "Three impacts: speed and force by reduced gears and finite elements.",
              "Gallery entry `impact-helical` with `method`.", _impacts, reproduced=PARTLY, why=_NOT_STATED, slow=True),
        Entry("fig. 5", FIGURE, "Forces of tooth pairs, spur gears.", "Gallery entries `meshing-spur-20` and `-100`.",
              lambda: _meshing("spur"), reproduced=PARTLY, why=_NOT_STATED),
        Entry("fig. 5, nodes", FIGURE, _SAME, _METHOD, lambda: _meshing("spur", **NODES), reproduced=PARTLY, why=_STIFFER,
              slow=True),
        Entry("fig. 6", FIGURE, "Forces of tooth pairs, helical gears.", "Gallery entries `meshing-helical-20` and `-100`.",
              lambda: _meshing("helical"), reproduced=PARTLY, why=_NOT_STATED),
        Entry("fig. 6, nodes", FIGURE, _SAME, _METHOD, lambda: _meshing("helical", **NODES), reproduced=PARTLY, why=_STIFFER,
              slow=True),
        Entry("fig. 7", FIGURE, "Early contact of deflected teeth, and tip relief.", "`Gear(modifications=...)`."),
        Entry("fig. 8 to 10", FIGURE, "Forces with tip relief.", "Gallery entries `meshing-…-relieved`.", _relief,
              reproduced=PARTLY, why="The amount and shape of the relief are not stated."),
        Entry("fig. 8 to 10, nodes", FIGURE, _SAME, _METHOD, _relief_by_nodes, reproduced=PARTLY, why=_STIFFER, slow=True),
        Entry("fig. 11, 12", FIGURE, "Three torques: overlap and speed.", "Gallery entries `torque-stages` and `-helical`.",
              _stages,
              reproduced=PARTLY, why=_NOT_STATED),
        Entry("fig. 11, 12, nodes", FIGURE, _SAME, _METHOD, lambda: _stages(**NODES), reproduced=PARTLY, why=_STIFFER, slow=True),
        Entry("fig. 13", FIGURE, "Beveloid gears.", "Gallery entry `table3-beveloid`."),
        Entry("fig. 14", FIGURE, "Beveloids at 50 rad/s.", "Gallery entry `beveloid-50`.", lambda: _beveloid("beveloid-50"),
              reproduced=PARTLY, why=_NOT_STATED, slow=True),
        Entry("fig. 14, nodes", FIGURE, "The same by the published method, two pitches with 300 modes of each gear.", _METHOD,
              lambda: _beveloid("beveloid-50", **NODES, **SHORT), reproduced=PARTLY, why=_STIFFER, slow=True),
        Entry("fig. 15", FIGURE, "Beveloids at 200 rad/s.", "Gallery entry `beveloid-200`.", lambda: _beveloid("beveloid-200"),
              reproduced=PARTLY, why=_NOT_STATED, slow=True),
        Entry("fig. 15, nodes", FIGURE, _SAME, _METHOD, lambda: _beveloid("beveloid-200", **NODES), reproduced=PARTLY,
              why=_STIFFER, slow=True),
        Entry("fig. 16", FIGURE, "Contact areas at 2500 and 10000 N·m.", "Gallery entry `beveloid-contact`.", _patches,
              reproduced=PARTLY,
              why="The paper shows nodes in contact, without a scale.", slow=True),
        Entry("fig. 16, nodes", FIGURE, "The same: nodes in contact, at rest.", _METHOD, _patches_by_nodes, reproduced=PARTLY,
              why="Flanks are pressed together at rest; the paper takes them from a motion. It prints no numbers.", slow=True),
        Entry("table 1", TABLE, "Data of the spur and helical gears.", "Gallery entries `table1-spur` and `table1-helical`.",
              lambda: _grid("table1-spur", 360000.0)),
        Entry("table 2", TABLE, "Time, disk and memory of three impacts.", "`python bench/table2.py`.", reproduced=PARTLY,
              why="Times depend on the computer; the bench measures them side by side."),
        Entry("table 3", TABLE, "Data of the beveloid gears.", "Gallery entry `table3-beveloid`."),
        Entry("section 2.2", SECTION, "Modes up to 80 kHz are necessary for precise forces; 200 and 500 modes satisfy this.",
              f"{THEORY}.", _necessary_modes, reproduced=PARTLY, slow=True,
              why="Necessary, but for these gears not sufficient: all modes up to 80 kHz give twice the force of finite elements. "
              "200 and 500 modes go to three times 80 kHz. Gears of these data have 13 to 41 and 46 to 58 modes below 80 kHz, for "
              "bores of 0.1 to 0.75 of the pitch diameter."),
    ),
)  # fmt: skip
