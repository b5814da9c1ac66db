"""The contract of every element: tangents, action and reaction, objectivity, power, energies.

Every kind of element, with every law on every measure, in random states (`references.element_cases`). All identities are
exact; the tolerances are those of rounding and of finite differences of fourth order (both near 1e-12 of the numbers
involved, a hundred times that is granted).
"""

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.element_bench import (
    Probe,
    accepted,
    call,
    central,
    energies,
    random_rotation,
    report,
    reported,
    residual,
    scale_of,
)
from references.element_cases import CASES, CASES_OF_KIND, turned_world, with_rigid_velocity

import pitchline
from pitchline.engine.compile.matrix_plan import local_pattern
from pitchline.engine.elements import contract as scalar_geometry
from pitchline.engine.elements import contract_checks
from pitchline.engine.elements.contract import ENERGIES, RATE, RESIDUAL, TANGENT, ElementKind, Turns
from pitchline.engine.elements.contract_checks import tangent_deviation
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.bodies.kernel_joint import COINCIDENT
from pitchline.parts.bodies.kernel_row import SIGNAL_DRIVE
from pitchline.parts.shafts.kernel import BEAM
from pitchline.parts.springs import kernel_load as scalar_force
from pitchline.parts.springs.kernel_stop import RIGID_STOP

ELSEWHERE = {"elastic flanks", "superelement", "gear mesh that sticks", "membrane"}
"""Kinds with a contract of their own: test_flank_element.py, test_superelement_element.py, test_sticking_mesh.py and
test_membrane_element.py in tests/verification."""
EFFORTS = ("force", "torque", "scalar force", "scalar constraint", "signal force", "signal torque", "signal effort",
           "signal drive", "rigid stop")  # fmt: skip
"""Kinds that report their load as one number or one vector."""
EXAMPLES = 6
FINITE = 1e-8
ROUNDING = 1e-11

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=EXAMPLES)
every_case = pytest.mark.parametrize("case", CASES)


def probe_of(case: str, seed: int) -> tuple[Probe, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return CASES[case](rng), rng


def rows(probe: Probe) -> slice:
    """Rows of the multipliers in the local block: after those of the nodes and the inputs."""
    return slice(probe.size - probe.lam.size, probe.size)


def is_free(probe: Probe) -> bool:
    """Whether a rigid stop is between its limits, where its row is a law of the multiplier and not a constraint."""
    return probe.element.kind is RIGID_STOP and not np.any(call(probe, TANGENT).J[rows(probe), : probe.n])


def cases_of(*kinds: str) -> list[str]:
    """Names of the cases whose element is of one of these kinds."""
    return [name for kind in kinds for name in CASES_OF_KIND[kind]]


# ---- completeness


def kinds_in_the_sources() -> set[ElementKind]:
    """Every ElementKind that any module of the package makes."""
    root = Path(pitchline.__file__).parent
    found = set()
    for file in root.rglob("*.py"):
        if "= ElementKind(" in file.read_text(encoding="utf-8"):
            parts = file.relative_to(root.parent).with_suffix("").parts
            members = vars(importlib.import_module(".".join(parts))).values()
            mine = {x for x in members if isinstance(x, ElementKind)}
            assert mine, f"{file} makes an ElementKind that is not in its namespace"
            found |= mine
    return found


def test_every_element_kind_is_under_contract() -> None:
    kinds = kinds_in_the_sources()
    assert len(kinds) >= 9
    covered = {probe_of(name, 0)[0].element.kind for name in CASES}
    missing = {k.name for k in kinds} - {k.name for k in covered} - ELSEWHERE
    assert not missing, f"element kinds without a case in references/element_cases.py: {sorted(missing)}"


def test_cases_are_listed_under_their_kind() -> None:
    for kind, cases in CASES_OF_KIND.items():
        assert {probe_of(name, 0)[0].element.kind.name for name in cases} == {kind}


def test_every_law_and_measure_is_under_contract() -> None:
    laws = {v for k, v in vars(scalar_force).items() if k.startswith("LAW_")}
    measures = {getattr(scalar_geometry, k) for k in ("ANGLE", "DISPLACEMENT", "DISTANCE", "HELIX")}
    probes = [probe_of(name, 0)[0].element for name in cases_of("scalar force")]
    assert {(int(e.values["on"]["kind"]), int(e.values["law"])) for e in probes} == {
        (m, law) for m in measures for law in laws
    }


# ---- residual and tangent


@every_case
@few
@given(seed=seeds)
def test_tangents_are_the_derivatives_of_the_residual(case: str, seed: int) -> None:
    """J = c_M dr/da + c_D dr/dv + c_K dr/dq for the nodes, each apart; B and B^T whatever the factors."""
    probe, _ = probe_of(case, seed)
    assert tangent_deviation(probe) <= FINITE


@pytest.mark.parametrize("seed", (64, 137))
def test_tangents_of_curved_laws_and_next_to_a_kink(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law of seed 64 is curved: differences over the longer step deviate by 1.3e-8. That of seed 137 has a kink within the
    step: by 2.8e-4. An error of the tangent of 1e-7 of its numbers is found in both."""
    probe, _ = probe_of("mesh of loaded teeth that tilt", seed)
    assert tangent_deviation(probe) <= 1e-9

    def wrong(*args: object, **factors: float) -> object:
        found = call(*args, **factors)
        found.J[:] *= 1 + 1e-7
        return found

    monkeypatch.setattr(contract_checks, "call", wrong)
    assert tangent_deviation(probe) > 3e-8


@every_case
@few
@given(seed=seeds)
def test_tangent_is_linear_in_its_factors(case: str, seed: int) -> None:
    probe, rng = probe_of(case, seed)
    a, b, c = rng.normal(size=3)
    fixed = call(probe, TANGENT).J
    parts = [call(probe, TANGENT, **{k: 1.0}).J - fixed for k in ("mass", "damping", "stiffness")]
    J = call(probe, TANGENT, mass=a, damping=b, stiffness=c).J
    expected = a * parts[0] + b * parts[1] + c * parts[2] + fixed
    np.testing.assert_allclose(J, expected, rtol=0, atol=ROUNDING * scale_of(*parts))


@every_case
@few
@given(seed=seeds)
def test_residual_is_the_same_with_and_without_tangent(case: str, seed: int) -> None:
    probe, _ = probe_of(case, seed)
    alone, both = call(probe, RESIDUAL), call(probe, TANGENT, mass=1.0, damping=2.0, stiffness=3.0)
    assert np.array_equal(alone.r, both.r)


@every_case
@few
@given(seed=seeds)
def test_only_a_tangent_is_asked_for_a_matrix(case: str, seed: int) -> None:
    probe, _ = probe_of(case, seed)
    if probe.element.kind.begin is None:
        assert not np.any(call(probe, RESIDUAL).J) and not np.any(call(probe, RATE).J)


@every_case
@few
@given(seed=seeds)
def test_power_comes_with_the_residual(case: str, seed: int) -> None:
    """`ask.power_in` and `ask.power_out` are the power that the report states."""
    probe, _ = probe_of(case, seed)
    expected = energies(probe)[2:]
    for mode in (RESIDUAL, TANGENT):
        out = call(probe, mode, mass=0.3, damping=0.5, stiffness=0.7)
        np.testing.assert_allclose(out.power, expected, rtol=1e-12, atol=1e-12 * scale_of(out.r))


@every_case
def test_report_has_energies_and_signals_by_name(case: str) -> None:
    probe, _ = probe_of(case, 0)
    kind = probe.element.kind
    out = reported(probe)
    assert list(out) == [*ENERGIES, *(s.name for s in kind.signals)]
    assert [np.size(out[s.name]) for s in kind.signals] == [s.size for s in kind.signals]


@every_case
@few
@given(seed=seeds)
def test_declared_facts_are_true(case: str, seed: int) -> None:
    """What a kind says of itself (inertia, power, memory) is what the system relies on."""
    probe, _ = probe_of(case, seed)
    kind = probe.element.kind
    inertia = call(probe, TANGENT, mass=1.0).J - call(probe, TANGENT).J
    assert kind.has_inertia == bool(np.any(inertia))
    if not kind.exchanges_power:
        assert not np.any(energies(probe)[2:])
        assert not np.any(call(probe, RESIDUAL).power)
    if kind.memory is Turns:
        after = accepted(probe)
        assert np.array_equal(after[1:], probe.memory[1:])  # the start stays
        assert kind.accept is not None or after[0] == probe.memory[0]


@every_case
@few
@given(seed=seeds)
def test_the_pattern_misses_no_entry(case: str, seed: int) -> None:
    probe, _ = probe_of(case, seed)
    J = call(probe, TANGENT, mass=0.3, damping=0.5, stiffness=0.7).J
    missed = (J != 0) & ~local_pattern(probe.element, probe.functions)
    assert not np.any(missed), f"entries the pattern misses: {np.argwhere(missed).tolist()}"


# ---- constraints


@every_case
@few
@given(seed=seeds)
def test_constraint_forces_are_the_transposed_gradient_times_the_multipliers(case: str, seed: int) -> None:
    probe, _ = probe_of(case, seed)
    n, row = probe.n, rows(probe)
    J = call(probe, TANGENT).J
    B = J[row, :n]
    if is_free(probe):  # the force of a multiplier that its own row makes zero
        B = J[:n, row].T
        np.testing.assert_allclose(J[row, row] @ probe.lam, residual(probe)[row], rtol=1e-12)
        assert np.all(J[row, row] < 0)
        np.testing.assert_allclose(residual(probe)[:n], B.T @ probe.lam, rtol=0, atol=ROUNDING * scale_of(B))
        return
    np.testing.assert_allclose(J[:n, row], B.T, rtol=0, atol=ROUNDING * scale_of(B))
    assert not np.any(J[row, row])
    force = residual(probe) - residual(replace(probe, lam=0 * probe.lam))
    np.testing.assert_allclose(force[:n], B.T @ probe.lam, rtol=0, atol=ROUNDING * scale_of(B, probe.lam) ** 2)
    assert not np.any(force[n:])


@every_case
@few
@given(seed=seeds)
def test_rate_is_the_derivative_along_the_motion(case: str, seed: int) -> None:
    """dPhi/dt = B v + Phi_t."""
    probe, _ = probe_of(case, seed)
    n = probe.n
    expected = central(lambda e: residual(probe.along(e))[n:])
    rate = call(probe, RATE).r[n:]
    np.testing.assert_allclose(rate, expected, rtol=0, atol=FINITE * scale_of(expected, residual(probe)))


@pytest.mark.parametrize("case", cases_of("scalar constraint"))
@few
@given(seed=seeds)
def test_shift_moves_imposed_rates_to_a_later_time(case: str, seed: int) -> None:
    """RATE at SHIFT e differs by -e f'' to first order: exactly, for the part that depends on time alone."""
    probe, _ = probe_of(case, seed)
    n = probe.n
    later = call(probe, RATE, shift=1e-2).r[n] - call(probe, RATE).r[n]
    frozen = replace(probe, V=0 * probe.V)
    expected = central(lambda e: call(replace(frozen, t=probe.t + e), RATE).r[n])
    assert later == pytest.approx(1e-2 * expected, abs=FINITE * scale_of(expected))


# ---- mechanics


@every_case
@few
@given(seed=seeds)
def test_action_equals_reaction(case: str, seed: int) -> None:
    """Forces, and moments about the origin, of all but inertia and weight add up to nothing.

    Two points held together feel opposite forces each where it is: while a gap is open that leaves the couple gap x lambda.
    """
    probe, _ = probe_of(case, seed)
    if probe.element.kind.has_inertia:  # of beams: test_beam_element.py
        return
    f, m = np.zeros(3), np.zeros(3)
    r = residual(probe)
    for k in range(2):
        f += r[6 * k : 6 * k + 3]
        m += np.cross(probe.P[k, :3], r[6 * k : 6 * k + 3]) + probe.rotation(k) @ r[6 * k + 3 : 6 * k + 6]
    couple = np.cross(r[12:15], probe.lam[:3]) if probe.element.kind is COINCIDENT else np.zeros(3)
    np.testing.assert_allclose([f, m], [np.zeros(3), couple], rtol=0, atol=ROUNDING * scale_of(r, probe.P))


@every_case
@few
@given(seed=seeds)
def test_objective_under_a_rigid_motion(case: str, seed: int) -> None:
    """Forces turn with the world, moments in node axes, constraint values and energies stay."""
    probe, rng = probe_of(case, seed)
    x0, Q = rng.normal(size=3), random_rotation(rng)
    other = turned_world(probe, x0, Q)
    before, after = residual(probe).copy(), residual(other)
    blocks = [6 * k for k in range(len(probe.P))] + ([probe.n] if probe.element.kind is COINCIDENT else [])
    for i in blocks:
        before[i : i + 3] = Q @ before[i : i + 3]
    np.testing.assert_allclose(after, before, rtol=0, atol=ROUNDING * scale_of(before))
    expected = energies(probe).copy()
    if probe.element.kind.has_inertia:  # the zero of the height moves
        values = probe.element.values
        mass = values["mass"] if probe.element.kind is BODY else values["weight_a"] + values["weight_b"]
        expected[1] -= mass * other.element.values["gravity"] @ x0
    np.testing.assert_allclose(energies(other), expected, rtol=0, atol=ROUNDING * scale_of(expected, before))


@every_case
@few
@given(seed=seeds)
def test_a_rigid_velocity_of_all_nodes_changes_no_force(case: str, seed: int) -> None:
    """For a body: a constant translation only. The mass of a beam is constant in axes that bend with it: test_beam_element.py."""
    probe, rng = probe_of(case, seed)
    v0, w = rng.normal(size=(2, 3))
    if probe.element.kind is BEAM:
        return
    if probe.element.kind is BODY:
        w = np.zeros(3)
    other = with_rigid_velocity(probe, v0, w)
    r, n = residual(probe), probe.n
    np.testing.assert_allclose(residual(other), r, rtol=0, atol=ROUNDING * scale_of(r))
    expected = call(probe, RATE).r[n:].copy()
    if probe.element.kind is COINCIDENT:  # its gap is a vector in world axes, and turns
        expected[:3] += np.cross(w, r[n : n + 3])
    np.testing.assert_allclose(call(other, RATE).r[n:], expected, rtol=0, atol=ROUNDING * scale_of(expected))


@every_case
@few
@given(seed=seeds)
def test_power_balance(case: str, seed: int) -> None:
    """r . v = d(kinetic + potential)/dt + dissipated - put in + lambda . dPhi/dt, and nothing dissipates less than zero.

    Two kinds state the power of motions that keep their row. A drive by a signal: the rate of a signal is not known in every
    evaluation, so its power is that of the joint, and both are the same where the joint follows. A free stop has no force.
    """
    probe, _ = probe_of(case, seed)
    n = probe.n
    if probe.element.kind is SIGNAL_DRIVE:
        probe = replace(probe, inputs=np.array([probe.inputs[0], [report(probe)["rate"]]]))
    if is_free(probe):
        probe = replace(probe, lam=0 * probe.lam)
    r, e = residual(probe), energies(probe)
    stored = central(lambda x: np.sum(energies(probe.along(x))[:2]))
    rate = call(probe, RATE).r[rows(probe)]
    expected = stored + e[3] - e[2] + probe.lam @ rate
    size = scale_of(r, probe.V, e) ** 2
    assert float(r[:n] @ probe.V.ravel()) == pytest.approx(float(expected), abs=FINITE * size)
    assert e[3] >= -ROUNDING * size
    assert e[0] >= 0


@pytest.mark.parametrize("case", [c for c in cases_of("scalar force", "bushing") if not c.startswith("load")])
@few
@given(seed=seeds)
def test_at_rest_nothing_is_dissipated_and_force_follows_from_energy(case: str, seed: int) -> None:
    """r = dE/dq for springs, strings, stops and bushings at rest."""
    probe, _ = probe_of(case, seed)
    probe = replace(probe, V=0 * probe.V)
    e = energies(probe)
    assert e[2] == e[3] == 0
    n = probe.n
    gradient = [
        central(lambda x, i=i: energies(replace(probe, V=np.eye(n)[i].reshape(-1, 6), A=0 * probe.A).along(x))[1])
        for i in range(n)
    ]
    np.testing.assert_allclose(residual(probe)[:n], gradient, rtol=0, atol=FINITE * scale_of(e, residual(probe)))


@pytest.mark.parametrize("case", cases_of("coincident", "sliding", "bushing"))
@few
@given(seed=seeds)
def test_reported_reactions_are_those_of_the_residual(case: str, seed: int) -> None:
    """Force and moment on the second body, reduced from its node to the joint point: M_point = M_node - arm x F."""
    probe, _ = probe_of(case, seed)
    r, out, p = residual(probe), report(probe), probe.element.values
    point = p["on"]["b"]["at"] if probe.element.kind.name == "bushing" else p["point_b"]
    force, arm = -r[6:9], probe.rotation(1) @ point
    moment = -probe.rotation(1) @ r[9:12] - np.cross(arm, force)
    np.testing.assert_allclose(out["force"], force, rtol=0, atol=ROUNDING * scale_of(r))
    np.testing.assert_allclose(out["moment"], moment, rtol=0, atol=ROUNDING * scale_of(r))


@pytest.mark.parametrize("case", cases_of(*EFFORTS))
@few
@given(seed=seeds)
def test_reported_efforts_are_those_of_the_residual(case: str, seed: int) -> None:
    """Power on the nodes, -r . v, is that of the reported effort on its rate, or of the load on the second body."""
    probe, _ = probe_of(case, seed)
    r, out = residual(probe), report(probe)
    if "effort" in out and not is_free(probe):
        rate = out["rate"] if "rate" in out else call(probe, RATE).r[-1]
        assert -r[:12] @ probe.V.ravel() == pytest.approx(out["effort"] * rate, abs=ROUNDING * scale_of(r))
    elif "effort" in out:
        assert out["contact"] == 0.0
    elif "force" in out:
        np.testing.assert_allclose(out["force"], -r[6:9], rtol=0, atol=ROUNDING * scale_of(r))
    else:
        np.testing.assert_allclose(out["torque"], -probe.rotation(1) @ r[9:12], rtol=0, atol=ROUNDING * scale_of(r))
