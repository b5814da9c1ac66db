"""Random gear meshes: pairs of every kind, rolled, misaligned, on nodes away from the wheels' centres, with laws of all parts.

`LoadedMesh` is one of them twice: as the element, and as the pair of 15 coordinates with which it is compared.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from references.cardona_pair import CardonaPair, Coordinates, Wrench, about_axis, exponential
from references.element_bench import Probe, pose, random_rotation
from references.gear_pairs import pairs
from references.hoop_law import HoopForces, HoopLaw, Wave
from references.table_law import with_tables

from pitchline.engine.elements.contract import Element
from pitchline.gears import GearPair
from pitchline.parts.meshes.kernel import gear_mesh
from pitchline.parts.meshes.kernel_law import (
    ALWAYS,
    CONSTANT,
    IN_CONTACT,
    LIMITED,
    NEVER_PULLING,
    OF_APPROACH,
    OF_DEFLECTION,
    OVER_A,
    OVER_B,
    OVER_CYCLE,
    STRIBECK,
    encode_geometry,
)
from pitchline.parts.meshes.kernel_records import UNLIMITED

TILT = 0.05
"""Largest misalignment: this angle [rad], and this part of the smaller pitch radius."""


@dataclass(frozen=True)
class MeshState:
    """A pair on two nodes, engaged, with velocities."""

    gears: GearPair
    pair: CardonaPair
    q: Coordinates
    v: np.ndarray
    """(12,): velocities of the nodes in world axes, angular velocities in node axes."""

    @property
    def P(self) -> np.ndarray:
        """Poses (2, 12) as kernels take them."""
        return np.stack([pose(self.q.x_a, self.q.R_a), pose(self.q.x_b, self.q.R_b)])

    @property
    def V(self) -> np.ndarray:
        return self.v.reshape(2, 6)

    @property
    def radius(self) -> float:
        """The smaller pitch radius."""
        return min(self.gears.pitch.radius_a, self.gears.pitch.radius_b)

    def spinning(self, rate_a: float, rate_b: float) -> "MeshState":
        """Wheels that turn about their own axes, the mesh at rest: dpsi/dt as given (of a rack ds/dt).

        A rack moves back along its travel, so that the pitch point goes forwards on it.
        """
        q, pair, f = self.q, self.pair, self.pair.frames(self.q)
        omega_a, omega_b = rate_a * f.M[:, 0], rate_b * f.X[:, 0]
        on_a = [np.cross(omega_a, -q.R_a @ pair.point_a), q.R_a.T @ omega_a]
        on_b = [np.cross(omega_b, -q.R_b @ pair.point_b), q.R_b.T @ omega_b]
        if pair.pitch.is_rack:
            on_b = [-rate_b * f.X[:, 2], np.zeros(3)]
        return replace(self, v=np.concatenate(on_a + on_b))

    def turned(self, angle_a: float, angle_b: float) -> "MeshState":
        """After such a motion, with psi_A and psi_B as before."""
        q, pair = self.q, self.pair

        def wheel(x: np.ndarray, R: np.ndarray, point: np.ndarray, triad: np.ndarray, angle: float):
            new = R @ triad @ about_axis(angle) @ triad.T
            return x + R @ point - new @ point, new

        x_a, R_a = wheel(q.x_a, q.R_a, pair.point_a, pair.triad_a, angle_a)
        if pair.pitch.is_rack:
            x_b, R_b = q.x_b - angle_b * q.R_b @ pair.triad_b[:, 2], q.R_b
        else:
            x_b, R_b = wheel(q.x_b, q.R_b, pair.point_b, pair.triad_b, angle_b)
        return replace(self, q=q._replace(x_a=x_a, R_a=R_a, x_b=x_b, R_b=R_b))

    def rolled_b(self, angle_a: float) -> float:
        """The turn of B (travel of the rack) that goes with one of A while u stays."""
        c_a, c_b = self.pair.weights
        return -angle_a * c_a / c_b


def unit(a: np.ndarray) -> np.ndarray:
    return a / np.linalg.norm(a)


def mesh_state(
    gears: GearPair, rng: np.random.Generator, *, misalignment: float = 1.0, off_centre: float = 1.0
) -> MeshState:
    """Wheels placed, rolled by up to a turn of A and a little beside each other, misaligned, with nodes anywhere."""
    p = gears.pitch
    x_a, R_a = p.radius_a * rng.normal(size=3), random_rotation(rng)
    towards = R_a @ np.append(unit(rng.normal(size=2)), 0.0)
    placed = gears.place(position=x_a, rotation=R_a, towards=towards)
    x_b, R_b = placed.position, placed.rotation
    fit = gears.align(x_a, R_a, x_b, R_b)
    M0, X0 = fit.triad_a, fit.triad_b
    radius = min(p.radius_a, p.radius_b)

    # roll
    aside = rng.uniform(-0.3, 0.3) * math.pi * p.normal_module
    turn_a = rng.uniform(-6, 6)
    R_a = R_a @ M0 @ about_axis(turn_a) @ M0.T
    roll = 0.5 * p.normal_module * p.teeth_a * turn_a
    if p.is_rack:
        psi_b = fit.psi_b + (roll - aside) / math.cos(p.beta_b)
        x_b = x_b - (psi_b - fit.psi_b) * R_b @ X0[:, 2]
        pivot = x_b + R_b @ fit.point_b + psi_b * R_b @ X0[:, 2]
    else:
        turn_b = (aside - roll) / (0.5 * p.normal_module * p.teeth_b)
        psi_b = fit.psi_b + turn_b
        R_b = R_b @ X0 @ about_axis(turn_b) @ X0.T
        pivot = x_b

    # misalign
    tilt = exponential(misalignment * TILT * rng.uniform(0, 1) * unit(rng.normal(size=3)))
    x_b = pivot + tilt @ (x_b - pivot) + misalignment * TILT * radius * rng.uniform(0, 1) * unit(rng.normal(size=3))
    R_b = tilt @ R_b

    # nodes: R_gear = R_node F, x_gear = x_node + R_node o
    F_a, F_b = random_rotation(rng), random_rotation(rng)
    o_a, o_b = off_centre * p.radius_a * rng.normal(size=(2, 3))
    N_a, N_b = R_a @ F_a.T, R_b @ F_b.T
    pair = CardonaPair(p, o_a + F_a @ fit.point_a, F_a @ M0, o_b + F_b @ fit.point_b, F_b @ X0)
    start = Coordinates(x_a - N_a @ o_a, N_a, x_b - N_b @ o_b, N_b, fit.psi_a + turn_a, psi_b)
    v = rng.normal(size=12) * np.tile(np.repeat([radius, 1.0], 3), 2) * 10 ** rng.uniform(-2, 2)
    return MeshState(gears, pair, pair.engaged(start), v)


@st.composite
def mesh_states(draw: st.DrawFn, kind: str, **options) -> MeshState:
    """A mesh of the given kind; options of `mesh_state`."""
    gears = draw(pairs(kind))
    return mesh_state(gears, np.random.default_rng(draw(st.integers(0, 2**32 - 1))), **options)


LENGTH = 0.93
"""Lengths in signals over those along the hoop: any number."""


@dataclass(frozen=True)
class LoadedMesh:
    """A mesh and its law: the element in that state, and what the reference gives."""

    state: MeshState
    law: HoopLaw

    @property
    def whole_teeth(self) -> int:
        """Pitches between u of the unwound angles and the pitch in which the teeth stand."""
        return -round(self.state.q.u / (math.pi * self.state.gears.pitch.normal_module))

    def probe(self, **more) -> Probe:
        """The element; `more` goes to `encode_law`."""
        law, functions = self.law.encode(**more)
        s, g = self.state, self.state.pair
        geometry = encode_geometry(g.pitch, g.point_a, g.triad_a, g.point_b, g.triad_b, length=LENGTH)
        element = gear_mesh("mesh", (3, 7), geometry, law)
        memory = np.array([s.q.psi_a, s.q.psi_b, self.whole_teeth, 0.0])
        return Probe(element, s.P, s.V, np.zeros((2, 6)), np.zeros(len(element.rows)), functions, memory)

    # ------------------------------------------------------------------------------------------------- reference

    @property
    def scale(self) -> np.ndarray:
        """(12,): sizes of the forces and of their moments about the nodes, for tolerances.

        Spring and damper apart, which may cancel; at least what 1e-3 m_n presses: u itself is rounded to some 1e-13 m_n.
        """
        q, f, p = self.state.q, self.forces(self.state.q, self.state.v), self.state.gears.pitch
        C = self.state.pair.frames(q).C_b
        stiffness = self.law.terms(p.teeth_a, q.psi_a, q.psi_b)[0][0].real
        force = abs(f.elastic) + abs(f.damper) + 1e-3 * p.normal_module * stiffness
        moments = [force * np.linalg.norm(C - x) + abs(f.moment) for x in (q.x_a, q.x_b)]
        return np.repeat([force, moments[0], force, moments[1]], 3)

    def forces(self, q: Coordinates, v: np.ndarray) -> HoopForces:
        """What the law gives in engaged coordinates."""
        p = self.state.gears.pitch
        pitches = math.pi * p.normal_module * self.whole_teeth
        tau = self.state.pair.tilt(q) if self.law.width else 0.0
        rates = self.state.pair.rates(q, v)
        return self.law.forces(p.teeth_a, q.u + pitches, q.psi_a, q.psi_b, tau=tau, rates=rates)

    def residual(self, dq: np.ndarray | None = None, dv: np.ndarray | None = None) -> np.ndarray:
        """Minus the loads on the nodes (12,), after increments of the poses and velocities, complex ones too."""
        pair, law = self.state.pair, self.law
        q = self.state.q if dq is None else pair.engaged(self.state.q.moved(dq))
        v = self.state.v if dv is None else self.state.v + dv
        f = self.forces(q, v)
        by_tilt = pair.tilt_gradient(q)
        by_psi = f.moment * by_tilt[12:14]
        loads = pair.loads(q, (f.hoop, f.torque_a + by_psi[0], f.torque_b + by_psi[1]))
        loads = loads - f.moment * by_tilt[:12]
        if law.friction:
            loads = loads + pair.spread(q, pair.friction(q, v, f.hoop, self.friction_coefficient, law.friction_speed))
        if any(law.loss_levers):
            loads = loads + pair.spread(q, self.losses(q, v, f.hoop))
        return -(loads if dq is not None or dv is not None else np.real(loads))

    def friction_coefficient(self, speed: complex) -> complex:
        kind, *numbers = self.law.friction
        if kind == CONSTANT:
            return numbers[0]
        kinetic, drop, scale, viscous = numbers
        return kinetic + drop * np.exp(-((speed / scale) ** 2)) + viscous * speed

    def losses(self, q: Coordinates, v: np.ndarray, f: complex) -> Wrench:
        """Couple on A against the rotation of A relative to B about mu1 + (c_A/c_B) xi1, lever times |f|."""
        pair, law = self.state.pair, self.law
        frames = pair.frames(q)
        axis = frames.M[:, 0]
        if not pair.pitch.is_rack:
            c_a, c_b = pair.weights
            axis = axis + c_a / c_b * frames.X[:, 0]
        rate = (q.R_a @ v[3:6] - q.R_b @ v[9:12]) @ axis / (axis @ axis)
        lever = law.loss_levers[0 if np.real(f * rate) > 0 else 1]
        size = lever * f * np.sign(np.real(f)) * rate / np.sqrt(rate**2 + law.loss_speed**2)
        return Wrench(np.zeros(3), -size / np.sqrt(axis @ axis) * axis)


def waves(rng: np.random.Generator, mean: float, swing: float, *, rack: bool) -> Wave:
    """Two harmonics over one of the angles."""
    over = rng.choice([OVER_CYCLE, OVER_A] if rack else [OVER_CYCLE, OVER_A, OVER_B])
    return Wave(int(over), mean, swing * rng.uniform(-1, 1, 2), swing * rng.uniform(-1, 1, 2))


FLANKS = ("drive", "gap", "coast")


def some_law(
    state: MeshState,
    rng: np.random.Generator,
    *,
    flank: str,
    damping: bool = True,
    smooth: bool = False,
    consistent: bool = True,
    line: bool = False,
    friction: bool = False,
    losses: bool = False,
    varying: bool = True,
    tables: bool = False,
) -> HoopLaw:
    """A law in which the teeth stand on the given flank, clear of its kinks (but for line contact, where edges lift)."""
    p = state.gears.pitch
    module, rack = p.normal_module, p.is_rack
    k = 10 ** rng.uniform(6, 9)
    stiffness: list[float | Wave] = [k * rng.uniform(1, 3) for _ in range(rng.integers(0, 2))]
    errors: list[float | Wave] = [0.01 * module * rng.normal()]
    if varying:
        stiffness += [waves(rng, k, 0.15 * k, rack=rack) for _ in range(rng.integers(1, 3))]
        errors += [waves(rng, 0.0, 0.005 * module, rack=rack) for _ in range(rng.integers(1, 3))]
    else:
        stiffness += [k]
    law = HoopLaw(
        stiffness=tuple(stiffness),
        errors=tuple(errors),
        damping=k * 10 ** rng.uniform(-6, -4) if damping else 0.0,
        damping_mode=int(rng.choice([IN_CONTACT, ALWAYS, NEVER_PULLING])),
        damping_rate=int(rng.choice([OF_DEFLECTION, OF_APPROACH])),
        backlash=module * rng.uniform(0.01, 0.05),
        smoothing=module * 10 ** rng.uniform(-3, -1.5) if smooth else 0.0,
        energy_consistent=consistent,
        width=module * rng.uniform(2, 20) if line else 0.0,
    )
    if friction:
        kinds = [(CONSTANT, 0.1), (STRIBECK, 0.05, 0.07, 0.5 * state.radius, 0.02 / state.radius)]
        law = replace(law, friction=kinds[rng.integers(2)], friction_speed=state.radius * 10 ** rng.uniform(-2, 0))
    if losses:
        law = replace(
            law, loss_levers=tuple(state.radius * rng.uniform(0.001, 0.1, 2)), loss_speed=10 ** rng.uniform(-2, 0)
        )
    depth, margin = module * rng.uniform(0.002, 0.02), 0.1
    if tables:
        law, margin = (
            with_tables(law, rng, depth),
            0.3,
        )  # first touch may be later or earlier than that of perfect teeth
        depth += margin * law.backlash
    s = {"drive": depth, "gap": -law.backlash * rng.uniform(margin, 1 - margin), "coast": -law.backlash - depth}[flank]
    here = LoadedMesh(state, law)
    u = state.q.u + math.pi * module * here.whole_teeth
    x = law.terms(p.teeth_a, state.q.psi_a, state.q.psi_b)[1][0].real
    return replace(law, offset=float(u + x - s))


def never_pulling(law: HoopLaw, *, limited: bool = False) -> HoopLaw:
    return replace(law, damping_mode=LIMITED if limited else NEVER_PULLING)


@st.composite
def loads_on(draw: st.DrawFn, state: MeshState, *, flanks: tuple[str, ...] = FLANKS, **options) -> LoadedMesh:
    """A law on a given mesh; options of `some_law`."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return LoadedMesh(state, some_law(state, rng, flank=draw(st.sampled_from(flanks)), **options))


@st.composite
def loaded_meshes(
    draw: st.DrawFn, kind: str, *, misalignment: float = 1.0, off_centre: float = 1.0, **options
) -> LoadedMesh:
    """A mesh of the given kind with a law; options of `loads_on`."""
    state = draw(mesh_states(kind, misalignment=misalignment, off_centre=off_centre))
    return draw(loads_on(state, **options))


def unlimited(element: Element) -> Element:
    """The same gear pair, with a contact that never ends."""
    element = replace(element, parameters=element.parameters.copy())
    element.values["limits"]["ends"] = UNLIMITED
    return element
