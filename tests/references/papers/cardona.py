"""Cardona: flexible gears in space."""

import math
from functools import cache
from typing import Any

import numpy as np
from references.papers.cardona_on_beams import bevel_pair_on_a_beam, three_wheels_on_a_beam
from references.papers.entry import EQUATION, FIGURE, NO, PARTLY, SECTION, Entry, Number, Paper

import pitchline as pl
from pitchline.gallery import model as gallery_model

__all__ = ["PAPER"]

LBF = 4.4482216152605
FORMULAS = "[The gear pair](../theory/gear_pair.md)"


@cache
def figures(name: str) -> dict[str, Any]:
    """Computed numbers of a gallery entry, by name."""
    entry = gallery_model(name)
    run = entry.run()
    return {figure.key: figure for figure in entry.figures(run)}


def _value(name: str, figure: str) -> float:
    found = figures(name)[figure].value
    return float(np.linalg.norm(np.asarray(found, float)))


def _bevel() -> list[Number]:
    return [
        Number("normal force of the teeth", "", _value("bevel-pair", "mesh.normal_force"), 1064.0),
        Number("force of wheel A on the ground", "", _value("bevel-pair", "foundation.force")),
        Number("moment of wheel A on the ground", "", _value("bevel-pair", "foundation.moment")),
        Number("torque that holds the bar", "", _value("bevel-pair", "motor.torque")),
        Number("rotation of wheel B relative to the bar", "rad", _value("bevel-pair", "wheel_b.turn")),
    ]


def _wheels() -> list[Number]:
    return [
        Number("normal force of the teeth", "", _value("three-wheels", "mesh12.normal_force"), 1.156e5),
        Number("force of the string", "", _value("three-wheels", "string.force")),
        Number("moment of wheel 1 on the ground", "", _value("three-wheels", "foundation.moment_z")),
        Number("rotation of the bar", "rad", _value("three-wheels", "bar.angle"), 1.0),
    ]


def _kubo(figure: str) -> Any:
    def numbers() -> list[Number]:
        return [Number(f"case {case.upper()}", "lbf", _value(f"kubo-{case}", figure)) for case in "abcd"]

    return numbers


def _ratio(figure: str, pairs: dict[str, float | str]) -> list[Number]:
    found = []
    for pair, said in pairs.items():
        one, other = pair.lower().split("/")
        value = _value(f"kubo-{one}", figure) / _value(f"kubo-{other}", figure)
        found.append(Number(f"{pair}, peak to peak", "", value, said))
    return found


def _penalty() -> list[Number]:
    model = gallery_model("bevel-pair").build()
    plain, other = (
        pl.statics(model, time=1.0, reduce=False, **options)
        for options in ({}, {"constraint_scale": 1e3, "constraint_penalty": 1e3})
    )
    force = [run["mesh.normal_force"].final for run in (plain, other)]
    return [
        Number("change of the force with k and p times 1000", "", abs(float(force[1] / force[0]) - 1.0)),
        Number("Newton iterations, automatic", "", float(plain.statistics["iterations"])),
        Number("Newton iterations, k and p times 1000", "", float(other.statistics["iterations"])),
    ]


def _damping() -> list[Number]:
    inertia, r, k = 0.0102, 3.937 / 2, 1.477e7
    mass = inertia * inertia / (2 * inertia * r * r)
    return [
        Number("m_e of the rig", "lbf s²/in", mass),
        Number("c_m of the rig", "lbf s/in", 2 * 0.1 * math.sqrt(k * mass)),
    ]


def _cook() -> list[Number]:
    soft = pl.Material("soft", density=1000.0, youngs_modulus=1e6, poissons_ratio=1 / 3)
    mesh = pl.MembraneMesh.patch([(0, 0, 0), (48, 44, 0), (48, 60, 0), (0, 44, 0)], (8, 8))
    m = pl.Model("cook", plane="xy")
    web = m.membrane("web", mesh, thickness=1.0, material=soft, attached={"ground": "side 4"})
    side = mesh.groups["side 2"]
    for i, node in enumerate(side):
        m.force(f"load {node}", web[str(node)], (0, (0.5 if i in (0, 8) else 1.0) / 8, 0))
    found = 1e6 * float(pl.statics(m)[f"web {side[4]}.deflection"].final[1])
    return [Number("Cook's membrane, 8 × 8 elements; reference 23.96", "", found)]


PAPER = Paper(
    name="cardona",
    title="Cardona: flexible gears in space",
    cited="A. Cardona, *Flexible three dimensional gear modelling in mechanism analysis*, Revue européenne des "
    "éléments finis 6, 1997.",
    about="The paper has a gear pair of any kind as a joint of a multibody code: pitch geometry, mesh "
    "stiffness, backlash, transmission error and friction, with an augmented Lagrangian, Newton iteration "
    "and HHT. In pitchline it is `GearPair` with the meshes `Rigid` and `Elastic`. Several equations are misprinted; "
    "pitchline uses the corrected ones, which its tests compare with differences.",
    entries=(
        Entry(
            "eq. 1 to 3",
            EQUATION,
            "Augmented Lagrangian with scale k and penalty p; Newton matrix without second derivatives of the constraints.",
            "`constraint_scale` and `constraint_penalty` of statics, kinematics and dynamics, "
            "[time integration](../theory/time.md#newton-iteration). The matrix has the second derivatives too.",
            _penalty,
        ),
        Entry(
            "eq. 4 to 7",
            EQUATION,
            "Triads of the wheels and of the teeth; matrix Y of cone and helix angle.",
            f"{FORMULAS}: frame of the mesh.",
        ),
        Entry(
            "eq. 8, 9",
            EQUATION,
            "Relative orientation of both wheels, Z = Y_A Y_B^T.",
            f"{FORMULAS}. Computed with Z = Y_A D Y_B^T, D = diag(1, −1, −1).",
            reproduced=PARTLY,
            why="Printed without D, both centres of a spur pair would be on the same side; the remark has β_A − β_B for β_A + β_B.",
        ),
        Entry(
            "eq. 10 to 17",
            EQUATION,
            "Position of the pitch point and reference triads from the centres.",
            "`mesh_with=` and `towards=` of `gear_body`, checks of positions of `gear_pair`.",
            reproduced=PARTLY,
            why="Eq. 16 has a minus sign where a plus is right; it matters for hypoid pairs only.",
        ),
        Entry(
            "eq. 18 to 26",
            EQUATION,
            "Fifteen coordinates with ψ_A, ψ_B and u_m; variations of the triads.",
            f"{FORMULAS}: mesh angles and deformation follow from the poses, so that the pair has no coordinates of its own.",
            reproduced=PARTLY,
            why="Eq. 20 has the transposed rotation, and eq. 26 lacks D for wheel B.",
        ),
        Entry(
            "eq. 27 to 35",
            EQUATION,
            "Three constraints, their gradients and forces.",
            f"{FORMULAS}: `Rigid()` has one row for transmission; signals `normal_force`, `signed_force`.",
            reproduced=PARTLY,
            why="Signs of ψ_B in eq. 27, 30 and 34 are misprinted: printed, λ_3 would not vanish on aligned wheels.",
        ),
        Entry(
            "eq. 36 to 38",
            EQUATION,
            "Elastic mesh with backlash and transmission error: potential, force and tangent.",
            "`Elastic(stiffness=, backlash=, error=, along=\"hoop\", backlash_side=\"drive\")`.",
            reproduced=PARTLY,
            why="Eq. 38 lacks the factor that is zero within the backlash.",
        ),
        Entry(
            "eq. 39",
            EQUATION,
            "Loaded transmission error X (1 − cos z ψ).",
            "`error=Varying(Fourier(...))` over the mesh angle.",
        ),
        Entry(
            "eq. 40, 41",
            EQUATION,
            "Mesh damping by a ratio, with the equivalent mass of both wheels.",
            "`damping_ratio=` of `Elastic`.",
            _damping,
        ),
        Entry(
            "eq. 42 to 54",
            EQUATION,
            "Separating force and its tangent.",
            f"{FORMULAS}: one force pair at one point, which is in balance in every position.",
            reproduced=PARTLY,
            why="The forces of the paper balance each other only on aligned wheels. Signs of eq. 46, 50, 51 and 54 are misprinted.",
        ),
        Entry(
            "fig. 1, 2",
            FIGURE,
            "Gear pair with its triads; signs of cone and helix angles.",
            "[Notation](../notation.md), [gears](../reference/gears.md).",
        ),
        Entry(
            "fig. 3, 4",
            FIGURE,
            "Bevel pair at 1 rad with the actions on the ground; schematic view.",
            "Pictures `figure_3` and `figure_4` of `pitchline run bevel-pair -o out`.",
        ),
        Entry(
            "fig. 5, 6",
            FIGURE,
            "Three wheels on a bar with a string, at the start and at 1 rad.",
            "Picture `figure_6` of `pitchline run three-wheels -o out`; `plot_state` of the model draws the start.",
        ),
        Entry(
            "fig. 7",
            FIGURE,
            "Gear test rig with two shafts.",
            "`pitchline view kubo-a`.",
        ),
        Entry(
            "fig. 8, 9",
            FIGURE,
            "Evolution of the mesh force. The paper prints curves without numbers.",
            "Pictures `figure_8_top` to `figure_9_bottom` of `kubo-a` to `kubo-d`; numbers: peak to peak, steady.",
            _kubo("mesh.normal_force.peak_to_peak"),
            reproduced=PARTLY,
            why="A and B agree with closed forms. The curves of C and D depend on data that the paper does not print "
            "([Kubo's rig](../theory/kubo.md)).",
            slow=True,
        ),
        Entry(
            "fig. 10, 11",
            FIGURE,
            "Evolution of the horizontal reaction at support A.",
            "Pictures `figure_10_top` to `figure_11_bottom`.",
            _kubo("support_a.horizontal.peak_to_peak"),
            reproduced=PARTLY,
            why="With backlash the reaction on elastic supports is not lower than on rigid ones.",
            slow=True,
        ),
        Entry(
            "fig. 12, 13",
            FIGURE,
            "Evolution of the vertical reaction at support A: never positive on rigid supports.",
            "Pictures `figure_12_top` to `figure_13_bottom`; numbers: largest reaction downwards.",
            _kubo("support_a.vertical.min"),
            slow=True,
        ),
        Entry(
            "section 1",
            SECTION,
            "Elements of the code: beam, membrane, rigid body, spring, hinges, cams; finite element models of bodies.",
            "`m.beam`, [`m.membrane`](../reference/membranes.md), `m.body`, `m.spring`, joints, `m.cam`, `m.flexible_body`.",
            _cook,
        ),
        Entry(
            "section 7.1",
            SECTION,
            "Bevel wheel that rolls on a fixed one, carried by a bar. Consistent units, none printed.",
            "Gallery entry `bevel-pair`.",
            _bevel,
        ),
        Entry(
            "section 7.2",
            SECTION,
            "Three spur wheels on a bar that pulls a string. The printed diameter 5 is a radius.",
            "Gallery entry `three-wheels`.",
            _wheels,
        ),
        Entry(
            "sections 7.1 and 7.2, bars as beams",
            SECTION,
            "Wheels can be carried by elastic beams.",
            "Both mechanisms with a round steel bar of `m.beam`, its wheels on hinges at the stations of the beam. Rigid bars, as "
            "in the paper, are the default of the gallery entries. Kubo's shafts have torsional stiffness only, as printed.",
            lambda: [*bevel_pair_on_a_beam(), *three_wheels_on_a_beam()],
        ),
        Entry(
            "section 7.3, supports",
            SECTION,
            "Elastic supports increase the mesh force by 1.4 and the horizontal reaction by almost 2.",
            "Gallery entries `kubo-a` and `kubo-b`.",
            lambda: [
                *_ratio("mesh.normal_force.amplitude_at_mesh_frequency", {"B/A": 1.4}),
                Number(
                    "horizontal reaction, B/A", "",
                    _value("kubo-b", "support_a.horizontal.peak_to_peak")
                    / _value("kubo-a", "support_a.horizontal.peak_to_peak"),
                    "almost 2",
                ),
            ],
            slow=True,
        ),
        Entry(
            "section 7.3, backlash",
            SECTION,
            "Backlash increases the amplitude of the mesh force by nearly 15, and the frequencies by almost 4.",
            "Gallery entries `kubo-c` and `kubo-d`.",
            lambda: _ratio("mesh.normal_force.peak_to_peak", {"C/A": "nearly 15", "D/B": "nearly 15"}),
            reproduced=NO,
            why="A ratio near 15 needs a tenth of the printed error and little damping, or damping in contact only. No variant "
            "gives all statements together ([Kubo's rig](../theory/kubo.md#variants)).",
            slow=True,
        ),
    ),
)  # fmt: skip
