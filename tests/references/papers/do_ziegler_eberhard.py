"""Do, Ziegler and Eberhard: elastic gears with any flank."""

from functools import cache
from typing import Any

import numpy as np
from references.papers.entry import EQUATION, FIGURE, NO, PARTLY, SECTION, TABLE, Entry, Number, Paper

import pitchline as pl
from pitchline import gallery

__all__ = ["PAPER"]

THEORY = "[theory](../theory/elastic_motion.md#nodes-and-surfaces)"
RUNS = "[Published runs](../reference/elastic_motion_published.md)"


@cache
def _figures(name: str, **settings: Any) -> dict[str, Any]:
    one = gallery.model(name, **settings)
    return {figure.key: figure.value for figure in one.figures(one.run())}


def _impacts() -> list[Number]:
    ours, nodes = _figures("impact-helical"), _figures("impact-helical", method="node to surface")
    return [
        Number("impacts", "", float(ours["count"]), "three"),
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
        Number("elastic modes of the pinion below 80 kHz", "", float(len(found["pinion.frequencies"])), "200 in all"),
        Number("elastic modes of the gear below 80 kHz", "", float(len(found["gear.frequencies"])), "500 in all"),
    ]


def _meshing(name: str) -> list[Number]:
    found = _figures(name)
    return [
        Number("mean total force", "N", float(found["total_force.mean"])),
        Number("range of the total force", "N", f"{found['total_force.min']:.0f} to {found['total_force.max']:.0f}"),
    ]


def _relief() -> list[Number]:
    plain, relieved = (_figures(f"meshing-spur-100{end}") for end in ("", "-relieved"))
    ranges = [found["total_force.max"] - found["total_force.min"] for found in (plain, relieved)]
    return [Number("range of the total force, plain to relieved", "", float(ranges[0] / ranges[1]), "much smoother")]


def _stages() -> list[Number]:
    spur, helical = (_figures(name)["speed_change"] for name in ("torque-stages", "torque-stages-helical"))
    return [
        Number("speed change at 100, 200, 300 N·m, spur", "rad/s", ", ".join(f"{v:.2f}" for v in spur)),
        Number("the same, helical", "rad/s", ", ".join(f"{v:.2f}" for v in helical), "smaller"),
    ]


def _beveloid(name: str) -> list[Number]:
    found = _figures(name)
    return [
        Number("tooth pairs in contact, at least", "", float(found["tooth_pairs.min"]), 2),
        Number("speed ripple of the gear", "rad/s", float(found["gear.speed_ripple"])),
    ]


def _patches() -> list[Number]:
    found = _figures("beveloid-contact")
    return [
        Number(f"patch at {torque} N·m, length", "mm", float(found[f"patch_{torque}.length"]))
        for torque in (2500, 10000)
    ]


def _equilibrium() -> list[Number]:
    gear = gallery.model("meshing-spur-100").file.gears["gear"]
    radius = 0.5 * gear.base_diameter * np.cos(gear.base_helix_angle)
    return [Number("force of 100 N·m", "N", float(100.0 / radius)), *_meshing("meshing-spur-100")[:1]]


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
              lambda: _meshing("meshing-spur-100"), reproduced=PARTLY, why=_NOT_STATED),
        Entry("fig. 6", FIGURE, "Forces of tooth pairs, helical gears.", "Gallery entries `meshing-helical-20` and `-100`.",
              lambda: _meshing("meshing-helical-100"), reproduced=PARTLY, why=_NOT_STATED),
        Entry("fig. 7", FIGURE, "Early contact of deflected teeth, and tip relief.", "`Gear(modifications=...)`."),
        Entry("fig. 8 to 10", FIGURE, "Forces with tip relief.", "Gallery entries `meshing-…-relieved`.", _relief,
              reproduced=PARTLY, why="The amount and shape of the relief are not stated."),
        Entry("fig. 11, 12", FIGURE, "Three torques: overlap and speed.", "Gallery entries `torque-stages` and `-helical`.",
              _stages,
              reproduced=PARTLY, why=_NOT_STATED),
        Entry("fig. 13", FIGURE, "Beveloid gears.", "Gallery entry `table3-beveloid`."),
        Entry("fig. 14", FIGURE, "Beveloids at 50 rad/s.", "Gallery entry `beveloid-50`.", lambda: _beveloid("beveloid-50"),
              reproduced=PARTLY, why=_NOT_STATED, slow=True),
        Entry("fig. 15", FIGURE, "Beveloids at 200 rad/s.", "Gallery entry `beveloid-200`.", lambda: _beveloid("beveloid-200"),
              reproduced=PARTLY, why=_NOT_STATED, slow=True),
        Entry("fig. 16", FIGURE, "Contact areas at 2500 and 10000 N·m.", "Gallery entry `beveloid-contact`.", _patches,
              reproduced=PARTLY,
              why="The paper shows nodes in contact, without a scale.", slow=True),
        Entry("table 1", TABLE, "Data of the spur and helical gears.", "Gallery entries `table1-spur` and `table1-helical`.",
              lambda: _grid("table1-spur", 360000.0)),
        Entry("table 2", TABLE, "Time, disk and memory of three impacts.", "`python bench/table2.py`.", reproduced=PARTLY,
              why="Times depend on the computer; the bench measures them side by side."),
        Entry("table 3", TABLE, "Data of the beveloid gears.", "Gallery entry `table3-beveloid`."),
        Entry("section 2.2", SECTION, "Modes up to 80 kHz are necessary for precise forces.", f"{THEORY}.", reproduced=NO,
              why="Modes up to 80 kHz without residual compliance give twice the force of finite elements; 200 and 500 modes "
              "give 12 % more."),
    ),
)  # fmt: skip
