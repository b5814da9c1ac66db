"""Contact of teeth ends where teeth end: tips, faces, ends of racks; and begins again with the nearest teeth.

The element itself, in poses set by hand: closed forms of where the force vanishes, the force as gradient of the energy, tangents.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from references.element_bench import Probe, accepted, call, energies, exponential, moved, pose, report, residual
from references.gear_mesh_cases import unlimited

import pitchline as pl
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.elements.contract import TANGENT
from pitchline.parts.meshes.kernel import GEAR_MESH

M, STIFFNESS, WIDTH = 2e-3, 2e8, 20e-3
PITCH = math.pi * M
FORCE = 1e4  # N: the teeth of every case press with about this force

GEARS = {
    "spur": (pl.Gear(teeth=20, normal_module=M, face_width=WIDTH), pl.Gear(teeth=40, normal_module=M, face_width=WIDTH)),
    "wide pinion": (
        pl.Gear(teeth=20, normal_module=M, face_width=1.5 * WIDTH),
        pl.Gear(teeth=40, normal_module=M, face_width=WIDTH),
    ),
    "helical": (
        pl.Gear(teeth=20, normal_module=M, helix_angle="20 deg", face_width=WIDTH),
        pl.Gear(teeth=40, normal_module=M, helix_angle="-20 deg", face_width=WIDTH),
    ),
    "shifted": (
        pl.Gear(teeth=20, normal_module=M, profile_shift=0.4, face_width=WIDTH),
        pl.Gear(teeth=40, normal_module=M, profile_shift=0.2, face_width=WIDTH),
    ),
    "internal": (
        pl.Gear(teeth=20, normal_module=M, face_width=WIDTH),
        pl.Gear(teeth=60, normal_module=M, internal=True, face_width=WIDTH),
    ),
    "ring first": (
        pl.Gear(teeth=60, normal_module=M, internal=True, face_width=WIDTH),
        pl.Gear(teeth=20, normal_module=M, face_width=WIDTH),
    ),
    "rack": (pl.Gear(teeth=20, normal_module=M, face_width=WIDTH), pl.Rack(teeth=31, normal_module=M, face_width=WIDTH)),
    "bevel": (
        pl.Gear(teeth=20, normal_module=M, cone_angle=math.atan(0.5), face_width=10e-3),
        pl.Gear(teeth=40, normal_module=M, cone_angle=math.atan(2.0), face_width=10e-3),
    ),
    "crossed": (
        pl.Gear(teeth=20, normal_module=M, helix_angle="45 deg", face_width=WIDTH),
        pl.Gear(teeth=25, normal_module=M, helix_angle="45 deg", face_width=WIDTH),
    ),
}  # fmt: skip
PARALLEL = ("spur", "wide pinion", "helical", "shifted", "internal", "ring first")


def built(kind: str, mesh: pl.Elastic | None = None, **where: object) -> pl.Model:
    m = pl.Model("pair")
    body = {"mass": 1.0, "inertia": (1e-3, 1e-3, 1e-3)}
    if kind == "crossed":
        where = {"shaft_angle": "90 deg"} | where
    a = m.gear_body("a", GEARS[kind][0], **body)
    b = m.gear_body("b", GEARS[kind][1], mesh_with=a, towards="x", **body, **where)
    m.gear_pair("mesh", a, b, mesh=mesh or law())
    return m


def law(**more: object) -> pl.Elastic:
    return pl.Elastic(STIFFNESS, **({"along": "hoop", "follow_centres": True, "backlash": 0.1e-3} | more))


class Case:
    """A pair as an element, its teeth pressed against each other by turning A."""

    def __init__(
        self, kind: str, mesh: pl.Elastic | None = None, *, pressed: float = FORCE / STIFFNESS, **where: object
    ) -> None:
        self.model = built(kind, mesh, **where)
        self.pair = self.model.gear_pairs["mesh"]
        self.law = self.pair.law.along_hoop(self.pair.length_factor)
        system, state = compile_model(self.model)
        e = next(k for k, x in enumerate(system.elements) if x.kind is GEAR_MESH)
        self.element = system.elements[e]
        K = system.kinematics(state)
        P = np.stack([pose(K["x"][n], K["R"][n]) for n in self.element.nodes])
        memory = state.mem[system.mem0[e] : system.mem1[e]].copy()
        self.start = Probe(self.element, P, np.zeros((2, 6)), np.zeros((2, 6)), np.zeros(0), system.functions, memory)
        pitch = self.pair.alignment.pitch
        self.axis_sign = pitch.axis_sign_a
        self.lever = 0.5 * pitch.normal_module * pitch.teeth_a
        touch = self.law.offset
        self.pressed = self.turned(self.start, (touch + pressed) / self.lever)

    def approach(self, seen: dict[str, float]) -> float:
        """Along the hoop."""
        return seen["approach"] / self.pair.length_factor

    def turned(self, probe: Probe, angle: float) -> Probe:
        """A turned about its axis so that psi_A grows."""
        dq = np.zeros((2, 6))
        dq[0, 5] = self.axis_sign * angle
        return replace(probe, P=moved(probe.P, dq))

    def shifted(self, probe: Probe, by: np.ndarray) -> Probe:
        """B moved (3,) [m]."""
        P = probe.P.copy()
        P[1, :3] += by
        return replace(probe, P=P)

    @property
    def up(self) -> np.ndarray:
        """From A to B up the teeth, at the pitch point: B moves out of mesh this way."""
        p = self.pair.alignment.pitch
        return self.pair.alignment.mesh @ p.Y_a[:, 1]

    def apart(self, probe: Probe, by: float) -> Probe:
        return self.shifted(probe, by * self.up)


def committed(probe: Probe) -> Probe:
    return replace(probe, memory=accepted(probe))


def tip_overlap(kind: str) -> float:
    """By how much tips overlap, from diameters alone."""
    a, b = GEARS[kind]
    if kind == "rack":
        return a.addendum + b.addendum
    if kind == "bevel" or kind == "crossed":
        return a.addendum + b.addendum
    distance = pl.GearPair(a, b).centre_distance
    if a.internal or b.internal:
        ring, pinion = (a, b) if a.internal else (b, a)
        return distance + 0.5 * pinion.tip_diameter - 0.5 * ring.tip_diameter
    return 0.5 * (a.tip_diameter + b.tip_diameter) - distance


# ---- tips


@pytest.mark.parametrize("kind", GEARS)
def test_force_ends_where_tips_part(kind: str) -> None:
    """Just inside there is a force, just outside there is none, at the overlap of the tip circles; the signal says it."""
    case = Case(kind, law(follow_centres=False))
    depth = tip_overlap(kind)
    assert report(case.start)["tip_overlap"] == pytest.approx(depth, rel=1e-9)
    inside, outside = (case.apart(case.pressed, depth + way) for way in (-1e-3 * M, 1e-9 * M))
    assert report(inside)["tip_overlap"] == pytest.approx(1e-3 * M, rel=1e-3)
    assert np.linalg.norm(residual(inside)[:3]) > 0.1 * FORCE * 1e-3 * M / (FORCE / STIFFNESS)
    assert report(inside)["in_mesh"] > 0.0
    assert np.all(residual(outside) == 0.0) and energies(outside)[1] == 0.0
    assert report(outside)["in_mesh"] == 0.0 and report(outside)["contact"] == 0.0
    assert np.all(residual(case.apart(case.pressed, 8.0)) == 0.0)


@pytest.mark.parametrize("kind", GEARS)
@pytest.mark.parametrize("apart", [0.0, 0.3, 0.9])
def test_in_mesh_the_law_is_as_without_limits(kind: str, apart: float) -> None:
    """To the bit, in residual and tangent, with centres a part of the overlap apart."""
    case = Case(kind)
    probe = case.apart(case.pressed, apart * tip_overlap(kind))
    plain = replace(probe, element=unlimited(case.element))
    one, other = (call(x, TANGENT, stiffness=1.0, damping=1.0) for x in (probe, plain))
    assert np.array_equal(one.r[:12], other.r[:12]) and np.array_equal(one.J[:12, :12], other.J[:12, :12])
    assert (
        apart > 0.0 or np.linalg.norm(one.r[:3]) > 0.5 * FORCE
    )  # apart, teeth that follow their centres are in their play


def test_tip_on_tip_pushes_apart() -> None:
    """Teeth half a pitch beside their spaces: a radial force k d / cos^2 alpha, no torque; nothing where tips are apart."""
    case = Case("spur")
    onto = case.turned(case.start, 0.5 * PITCH / case.lever)
    d = 20e-6
    probe = case.apart(onto, tip_overlap("spur") - d)
    r = residual(probe)
    assert r[:3] == pytest.approx(STIFFNESS * d / math.cos(math.radians(20)) ** 2 * case.up, rel=1e-9, abs=1e-6)
    assert np.abs(r[5]) < 1e-9 * np.linalg.norm(r[:3]) and report(probe)["normal_force"] == 0.0


@pytest.mark.parametrize("kind", ["spur", "internal", "rack"])
@pytest.mark.parametrize("backlash", [0.0, 0.1e-3])
def test_enters_again_with_the_nearest_teeth(kind: str, backlash: float) -> None:
    """Pulled out, turned by any angle, pushed in: the law of the nearest space."""
    case = Case(kind, law(follow_centres=False, backlash=backlash))
    for angle in (0.3, -2.0, 2.7, 3.0):
        teeth = round(case.lever * angle / PITCH)
        angle = (teeth * PITCH + case.law.offset + 50e-6) / case.lever
        out = case.apart(case.start, 2.0 * tip_overlap(kind))
        out = case.turned(out, angle)
        back = case.apart(committed(out), -2.0 * tip_overlap(kind))
        seen = report(back)
        assert case.approach(seen) == pytest.approx(case.law.offset + 50e-6, abs=1e-12)
        assert seen["normal_force"] == pytest.approx(STIFFNESS * 50e-6 / math.cos(math.radians(20)), rel=1e-6)


def test_teeth_in_place_keep_their_count() -> None:
    """Centres as built, turned by more than a pitch: the same tooth, bent that far. No other tooth can have come there."""
    case = Case("spur", law(follow_centres=False))
    bent = case.turned(case.start, (case.law.offset + 1.4 * PITCH) / case.lever)
    for probe in (bent, committed(bent)):
        assert report(probe)["normal_force"] == pytest.approx(
            STIFFNESS * 1.4 * PITCH / math.cos(math.radians(20)), rel=1e-6
        )


def test_potential_is_periodic_where_teeth_pass() -> None:
    """Tips that barely overlap: turning by a pitch comes back to the same energy, without a jump on the way."""
    case = Case("spur")
    shallow = case.apart(case.start, tip_overlap("spur") - 0.05 * M)
    angles = np.linspace(0.0, PITCH / case.lever, 2001)
    V = np.array([energies(case.turned(shallow, x))[1] for x in angles])
    assert V[0] == pytest.approx(V[-1], abs=1e-9 * V.max()) and V.max() > 0.0
    # the steepest it can be: the flank force of teeth as deep as the tips
    steepest = STIFFNESS * 0.05 * M / math.cos(math.radians(20)) * (angles[1] * case.lever)
    assert np.abs(np.diff(V)).max() <= 1.001 * steepest


# ---- faces


@pytest.mark.parametrize("kind", PARALLEL)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_stiffness_goes_with_the_face_in_mesh(kind: str, side: float) -> None:
    """k in proportion to the width on which faces meet, within the rounded corner; none where they do not."""
    case = Case(kind, law(follow_centres=False, separating=False))
    a, b = (g.face_width for g in GEARS[kind])
    for part in (0.75, 0.5, 0.1):
        shift = side * (0.5 * (a + b) - part * min(a, b))
        probe = case.shifted(case.start, np.array([0.0, 0.0, shift]))
        seen = report(probe)
        assert seen["in_mesh"] == pytest.approx(part, abs=0.021)
        u = case.approach(seen) - case.law.offset
        pressed = case.turned(probe, (50e-6 - u) / case.lever)
        force = STIFFNESS * 50e-6 * report(pressed)["in_mesh"]
        assert report(pressed)["normal_force"] * math.cos(case.pair.pair.pitch.pressure_angle) == pytest.approx(
            force, rel=1e-3
        )
    gone = case.shifted(case.pressed, np.array([0.0, 0.0, side * (0.5 * (a + b) + 1e-9)]))
    assert np.all(residual(gone) == 0.0) and report(gone)["in_mesh"] == 0.0


def test_as_built_is_whole() -> None:
    """Faces built to meet on a part: the stiffness given is that of this part, and grows as they are pushed together."""
    case = Case("spur", law(follow_centres=False), axial_shift=0.4 * WIDTH)
    assert report(case.pressed)["in_mesh"] == pytest.approx(1.0, abs=1e-12)
    together = case.shifted(case.pressed, np.array([0.0, 0.0, -0.4 * WIDTH]))
    assert report(together)["normal_force"] == pytest.approx(report(case.pressed)["normal_force"] / 0.6, rel=0.025)


@pytest.mark.parametrize("axis", ["a", "b"])
def test_crossed_axes_end_beyond_their_faces(axis: str) -> None:
    case = Case("crossed", law(follow_centres=False))
    along = case.start.P[0 if axis == "a" else 1, 3:].reshape(3, 3)[:, 2]
    ways = (0.49 * WIDTH, 0.5 * WIDTH + 0.5 * M, 0.5 * WIDTH + 1.01 * M)
    at = [report(case.shifted(case.start, x * along))["in_mesh"] for x in ways]
    assert at == pytest.approx([1.0, 0.5, 0.0], abs=1e-3)


# ---- ends of racks


@pytest.mark.parametrize("teeth", [30, 31])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_force_ends_half_a_pitch_beyond_the_rack(teeth: int, side: float) -> None:
    """The rack reaches z/2 pitches to either side of its middle; of an even number that lies half a pitch along y."""
    m = pl.Model("rack")
    body = {"mass": 1.0, "inertia": (1e-3, 1e-3, 1e-3)}
    a = m.gear_body("a", GEARS["rack"][0], **body)
    b = m.gear_body("b", pl.Rack(teeth=teeth, normal_module=M, face_width=WIDTH), mesh_with=a, towards="x", **body)
    m.gear_pair("mesh", a, b, mesh=law(follow_centres=False))
    system, state = compile_model(m)
    e = next(k for k, x in enumerate(system.elements) if x.kind is GEAR_MESH)
    K = system.kinematics(state)
    P = np.stack([pose(K["x"][n], K["R"][n]) for n in system.elements[e].nodes])
    along = P[1, 3:].reshape(3, 3)[:, 1]
    middle = 0.0 if teeth % 2 else 0.5 * PITCH
    end = middle + side * 0.5 * teeth * PITCH  # in the rack
    start = float((P[0, :3] - P[1, :3]) @ along)
    for beyond, part in ((-1e-6, 1.0), (0.25 * PITCH, 0.5), (0.5 * PITCH + 1e-9, 0.0)):
        Q = P.copy()
        Q[1, :3] += (start - end - side * beyond) * along
        memory = state.mem[system.mem0[e] : system.mem1[e]]
        probe = Probe(system.elements[e], Q, np.zeros((2, 6)), np.zeros((2, 6)), np.zeros(0), system.functions, memory)
        assert report(probe)["in_mesh"] == pytest.approx(part, abs=1e-6)


# ---- gradients


def places() -> dict[str, Probe]:
    """Pressed teeth in every region of the law."""
    spur, internal, rack, helical, crossed = (Case(kind) for kind in ("spur", "internal", "rack", "helical", "crossed"))
    axes = [crossed.start.P[k, 3:].reshape(3, 3)[:, 2] for k in (0, 1)]
    tips = tip_overlap("spur")
    return {
        "in mesh": spur.apart(spur.turned(spur.start, 2.5 * spur.law.offset / spur.lever), 0.1 * M),
        "half the face": spur.shifted(spur.pressed, np.array([0.0, 0.0, 0.5 * WIDTH])),
        "rounded corner": spur.shifted(spur.pressed, np.array([0.0, 0.0, 0.02 * WIDTH])),
        "half the face, internal": internal.shifted(internal.pressed, np.array([0.0, 0.0, -0.5 * WIDTH])),
        "half the face, helical": helical.shifted(helical.pressed, np.array([0.0, 0.0, 0.0])),
        "tip on tip": spur.apart(spur.turned(spur.start, 0.5 * PITCH / spur.lever), tips - 30e-6),
        "tip on tip, half the face": spur.shifted(
            spur.apart(spur.turned(spur.start, 0.5 * PITCH / spur.lever), tips - 30e-6),
            np.array([0.0, 0.0, 0.5 * WIDTH]),
        ),
        "end of the rack": replace(rack.pressed, P=at_the_end(rack)),
        "beyond a face, crossed": crossed.shifted(crossed.pressed, (0.5 * WIDTH + 0.4 * M) * axes[0]),
        "beyond both faces, crossed": crossed.shifted(
            crossed.pressed, (0.5 * WIDTH + 0.4 * M) * axes[0] - (0.5 * WIDTH + 0.3 * M) * axes[1]
        ),
    }


def at_the_end(case: Case) -> np.ndarray:
    """Pinion and rack rolled to 0.2 pitches beyond the last tooth."""
    P = case.pressed.P.copy()
    along = P[1, 3:].reshape(3, 3)[:, 1]
    start = float((P[0, :3] - P[1, :3]) @ along)
    way = 15.5 * PITCH + 0.2 * PITCH - start
    P[1, :3] -= way * along
    turn = way / case.lever
    for sign in (1.0, -1.0):  # the sense in which the teeth stay pressed
        Q = P.copy()
        Q[0, 3:] = (P[0, 3:].reshape(3, 3) @ exponential(np.array([0.0, 0.0, sign * turn]))).ravel()
        u = case.approach(report(replace(case.pressed, P=Q))) - case.law.offset
        if abs(u - FORCE / STIFFNESS) < 1e-9:
            return Q
    raise AssertionError("the rack and its pinion do not roll")


@pytest.fixture(scope="module")
def probes() -> dict[str, Probe]:
    return places()


NAMES = (
    "in mesh", "half the face", "rounded corner", "half the face, internal", "half the face, helical", "tip on tip",
    "tip on tip, half the face", "end of the rack", "beyond a face, crossed", "beyond both faces, crossed",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_force_is_the_gradient_of_the_energy(probes: dict[str, Probe], name: str) -> None:
    """dV along random motions against the work of the force: what contact gives back where it ends is work."""
    probe = probes[name]
    rng = np.random.default_rng(1)
    r = residual(probe)
    size = np.linalg.norm(r[:3])
    assert size > 0.0
    for _ in range(5):
        v = rng.normal(size=(2, 6)) * np.array([1, 1, 1, 20, 20, 20])
        h = 1e-8
        along = [energies(replace(probe, P=moved(probe.P, x * v)))[1] for x in (-h, h)]
        # second derivatives: at most k over h, and rounding of V
        assert (along[1] - along[0]) / (2 * h) == pytest.approx(float(r @ v.ravel()), abs=2e-5 * size)


def by_position(probe: Probe, h: float = 1e-7) -> np.ndarray:
    """Central differences of the residual by positions: steps that no flank, tip or face notices."""
    columns = []
    for i in range(12):
        dq = np.zeros(12)
        dq[i] = h
        after, before = (residual(replace(probe, P=moved(probe.P, x * dq.reshape(2, 6)))) for x in (1.0, -1.0))
        columns.append((after - before) / (2 * h))
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("name", NAMES[:-1])  # where both faces of crossed axes end at once it is not exact
def test_tangent_where_contact_ends(probes: dict[str, Probe], name: str) -> None:
    """Against differences: exact but for the energy of the teeth over lengths squared, which is 1e-4 of the stiffness here, and
    with the distance of crossed axes as a lever 1e-2."""
    probe = probes[name]
    K = by_position(probe)
    J = call(probe, TANGENT, stiffness=1.0).J[:12, :12]
    unit = np.tile(np.repeat([1.0, 0.02], 3), 2)
    scale = np.outer(unit, unit)
    assert np.max(np.abs(J - K) / scale) <= (2e-2 if "crossed" in name else 2e-3) * np.max(np.abs(K) / scale)
