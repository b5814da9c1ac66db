"""Redundant constraints: found as numpy's rank finds them, named in the order of the model."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from references.closed_loops import bennett
from references.random_models import LOWER, add_bodies, add_joint, unit

import pitchline as pl
from pitchline.analyses.start_positions import redundancy_warnings
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.rank import Evaluator, find_redundant, no_multipliers, strength
from pitchline.engine.compile.system import State, System

seeds = st.integers(0, 2**32 - 1)
COPIES = ("same", "along the axis", "misplaced by rounding")


def gradient(system: System, state: State) -> np.ndarray:
    """B of all rows in six coordinates a body, rotation columns over the model's length, rows of unit length."""
    B = np.zeros((system.n_lam, 6 * len(system.ndof)))
    evaluator = Evaluator(system)
    evaluator.place(state, moving=False, lam=no_multipliers(system))
    for e, element in enumerate(system.elements):
        if not element.rows:
            continue
        rows = evaluator.element_rows(e)[1]
        for k, g in enumerate(element.nodes):
            B[system.lam0[e] : system.lam0[e + 1], 6 * g : 6 * g + 6] = rows[:, 6 * k : 6 * k + 6]
    B = B[:, 6:]  # without ground
    B.reshape(len(B), -1, 6)[:, :, 3:] /= system.length
    return B / np.linalg.norm(B, axis=1, keepdims=True)


def rank_of(B: np.ndarray) -> int:
    """Rank, where it is beyond doubt: no singular value between rounding and a thousandth."""
    if not B.size:
        return 0
    values = np.linalg.svd(B, compute_uv=False)
    assume(not np.any((values > 1e-7) & (values < 1e-3)))
    return int(np.sum(values >= 1e-3))


def order_of(system: System) -> list[int]:
    """Rows in the order in which they count: joints that became coordinates, then as in the model."""
    rows = [list(range(system.lam0[e], system.lam0[e + 1])) for e in range(len(system.elements))]
    passive = [l for e, x in enumerate(system.elements) if x.passive for l in rows[e]]
    return passive + [l for e, x in enumerate(system.elements) if not x.passive for l in rows[e]]


def copied(m: pl.Model, rng: np.random.Generator, name: str, joint: pl.Joint, how: str) -> pl.Joint:
    """The same joint once more."""
    point, axes = m.placed(joint.frame_a)
    if how == "along the axis":
        point = point + rng.normal() * axes[:, 2]
    elif how == "misplaced by rounding":
        point = point + 1e-10 * rng.normal(size=3)
    options = {"lead": 2 * np.pi * joint.pitch} if joint.kind == "screw" else {}
    a, b = (m.ground if n == "ground" else m.bodies[n] for n in (joint.body_a, joint.body_b))
    return getattr(m, joint.kind)(name, a, b, at=point, axis=axes[:, 2], **options)


def linkage(rng: np.random.Generator, bodies: int) -> pl.Model:
    """A tree, some of its joints doubled, a loop or two, a drive or two."""
    m = pl.Model("linkage")
    made = add_bodies(m, rng, bodies)
    kinds = (*LOWER, "screw")
    joints = []
    for i, body in enumerate(made):
        other = [m.ground, *made[:i]][int(rng.integers(i + 1))]
        joints.append(add_joint(m, rng, f"joint {i}", str(rng.choice(kinds)), other, body))
    for k in range(int(rng.integers(3))):
        copied(m, rng, f"copy {k}", joints[int(rng.integers(bodies))], str(rng.choice(COPIES)))
    if rng.integers(2):
        i, j = rng.choice(bodies + 1, size=2, replace=False)
        add_joint(m, rng, "loop", str(rng.choice(kinds)), *[m.ground if x == bodies else made[x] for x in (i, j)])
    for joint in joints:
        if joint.coordinates and rng.integers(2):
            coordinate = joint.coordinates[0]
            m.drive(f"drive {joint.name}", joint, **{coordinate: m.joint_coordinates(joint)[coordinate != "angle"]})
    return m


@pytest.mark.parametrize("reduce", [True, False])
@settings(max_examples=60)
@given(seed=seeds, bodies=st.integers(1, 5))
def test_redundant_rows_are_those_that_add_no_rank(reduce: bool, seed: int, bodies: int) -> None:
    """A row is redundant if and only if the rows before it, in the order of the model, already span it."""
    rng = np.random.default_rng(seed)
    system, state = compile_model(linkage(rng, bodies), reduce=reduce)
    B, order = gradient(system, state), order_of(system)
    ranks = [rank_of(B[order[:k]]) for k in range(len(order) + 1)]
    expected = {order[k] for k in range(len(order)) if ranks[k + 1] == ranks[k]}
    found = find_redundant(system, state)
    assert set(found.redundant.tolist()) == expected
    kept = np.setdiff1d(np.arange(system.n_lam), found.redundant)
    assert rank_of(B[kept]) == len(kept) == ranks[-1]


@pytest.mark.parametrize("reduce", [True, False])
@settings(max_examples=60)
@given(seed=seeds, bodies=st.integers(1, 5))
def test_the_strongest_rows_have_the_same_rank(reduce: bool, seed: int, bodies: int) -> None:
    rng = np.random.default_rng(seed)
    system, state = compile_model(linkage(rng, bodies), reduce=reduce)
    B = gradient(system, state)
    rank = rank_of(B)
    found = find_redundant(system, state, strongest=True)
    kept = np.setdiff1d(np.arange(system.n_lam), found.redundant)
    assert rank_of(B[kept]) == len(kept) == rank


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("angle", [0.1, 0.3, 0.7, 1.0, 1.5, 2.0, 2.5, 3.0])
def test_the_strongest_rows_are_far_from_dependent(angle: float, reduce: bool) -> None:
    """Of all rows, the smallest singular value that is not zero is an upper bound for any choice among them."""
    system, state = compile_model(bennett(angle), reduce=reduce)
    B = gradient(system, state)
    found = find_redundant(system, state, strongest=True)
    assert len(found.redundant) == 3
    kept = np.setdiff1d(np.arange(system.n_lam), found.redundant)
    best = np.linalg.svd(B, compute_uv=False)[len(kept) - 1]
    assert np.linalg.svd(B[kept], compute_uv=False)[-1] > 0.2 * best
    system.relayout(found.redundant)
    assert strength(system, state) == pytest.approx(found.weakest, rel=0.7)


@pytest.mark.parametrize("reduce", [True, False])
@settings(max_examples=60)
@given(seed=seeds, bodies=st.integers(1, 5))
def test_groups_hold_every_way_to_share_a_load(reduce: bool, seed: int, bodies: int) -> None:
    """Multipliers without resultant, B^T lambda = 0, vanish outside the groups, and each group can hold its own."""
    rng = np.random.default_rng(seed)
    system, state = compile_model(linkage(rng, bodies), reduce=reduce)
    B = gradient(system, state)
    free = len(B) - rank_of(B)
    U = np.linalg.svd(B, full_matrices=True)[0]
    idle = U[:, len(B) - free :]
    groups = find_redundant(system, state).groups
    members = np.concatenate([*groups, np.zeros(0)]).astype(int)
    assert len(set(members.tolist())) == len(members)
    np.testing.assert_allclose(np.delete(idle, members, axis=0), 0, atol=1e-6)
    assert sum(len(g) - rank_of(B[g]) for g in groups) == free


def hinged(count: int, kind: str = "revolute", axis: tuple = (0, 0, 1)) -> pl.Model:
    """A door on hinges one above the other."""
    m = pl.Model("door", gravity=(0, 0, -9.81))
    door = m.body("door", mass=20, inertia=(2, 2, 3), position=(0.5, 0, 1))
    for i in range(count):
        getattr(m, kind)(f"hinge {i}", m.ground, door, at=(0, 0, i), axis=axis)
    return m


@pytest.mark.parametrize("reduce", [True, False])
def test_a_warning_names_the_later_joints_and_what_they_repeat(reduce: bool) -> None:
    system, state = compile_model(hinged(3), reduce=reduce)
    rank = find_redundant(system, state)
    assert {system.row_owner(int(l)).name for l in rank.redundant} == {"hinge 1", "hinge 2"}
    (text,) = redundancy_warnings(system, rank)
    assert text.startswith('redundant: 10 constraints of "hinge 1", "hinge 2" repeat constraints of "hinge 0"')


def test_one_constraint_is_spoken_of_in_the_singular() -> None:
    m = pl.Model("m")
    b = m.body("box", mass=1, inertia=(1, 1, 1))
    m.point_on_plane("first", m.ground, b, at=(0, 0, 0), axis="z")
    m.point_on_plane("second", m.ground, b, at=(0, 0, 0), axis="z")
    system, state = compile_model(m)
    (text,) = redundancy_warnings(system, find_redundant(system, state))
    assert text.startswith('redundant: 1 constraint of "second" repeats constraints of "first"')


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("parallel", [True, False])
def test_a_four_bar_of_any_size(scale: float, parallel: bool) -> None:
    """Revolute joints around a plane loop: three redundant rows, of the last joint; none if one axis leans by 1e-3 rad."""
    m = pl.Model("four bar")
    points = scale * np.array([[0, 0, 0], [0, 1, 0], [2, 2, 0], [2, 0, 0.0]])
    links = []
    for i in range(3):
        a, b = points[i], points[i + 1]
        links.append(m.body(f"link {i}", mass=1, inertia=scale**2 * np.ones(3), position=(a + b) / 2))
    chain = [m.ground, *links, m.ground]
    for i in range(4):
        lean = 0.0 if parallel or i != 2 else 1e-3
        m.revolute(f"pin {i}", chain[i], chain[i + 1], at=points[i], axis=(lean, 0, 1))
    system, state = compile_model(m, reduce=False)
    rank = find_redundant(system, state)
    if parallel:
        assert {system.row_owner(int(l)).name for l in rank.redundant} == {"pin 3"}
        assert rank.redundant.size == 3
    else:
        assert rank.redundant.size < 3


def test_a_tree_costs_nothing_and_has_nothing_redundant() -> None:
    rng = np.random.default_rng(1)
    m = pl.Model("chain")
    made = add_bodies(m, rng, 30)
    for i, b in enumerate(made):
        m.revolute(f"pin {i}", m.ground if i == 0 else made[i - 1], b, at=rng.normal(size=3), axis=unit(rng))
    system, state = compile_model(m)
    rank = find_redundant(system, state)
    assert rank.redundant.size == 0 and rank.groups == []
    assert redundancy_warnings(system, rank) == []
