"""Contact patches of elastic flanks: Hertz's ellipse, fine cells of loaded contact, the law in motion, symmetries."""

import math
from functools import cache

import numpy as np
import pytest
from references.elastic_pair import COARSE, MODULE, TEETH, gears
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from pitchline.contact.compliance import contact_modulus
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.gears import Gear
from pitchline.parts.contact.flank_contact import flank_contact
from pitchline.parts.contact.loaded_contact import loaded_contact
from pitchline.parts.contact.results_flank import ContactPatch, FlankContact, LoadedContact
from pitchline.parts.gears.teeth import LeadCrowning, Teeth, TipRelief, place_teeth

TORQUE = 60.0


@cache
def held(helix: float = 0.0) -> tuple[ElasticGear, ElasticGear]:
    """The coarse pair, held at the bores."""
    a, b = (elastic_gear(t, grid=COARSE, cache=False) for t in gears(helix))
    return a, b


@cache
def beveloids() -> tuple[ElasticGear, ElasticGear]:
    """Conical gears of the same numbers of teeth, on shafts at 20 degrees."""
    made = []
    for z in TEETH:
        gear = Gear(teeth=z, normal_module=MODULE, face_width="10 mm", bore=0.4 * z * MODULE)
        made.append(elastic_gear(Teeth(gear, profile_shift_angle="10 deg"), grid=COARSE, cache=False))
    return made[0], made[1]


@cache
def pressed(method: str, helix: float = 0.0) -> FlankContact:
    return flank_contact(*held(helix), torque=TORQUE, phase=(0.1, 0.6), method=method)


@cache
def resolved(helix: float = 0.0) -> LoadedContact:
    return loaded_contact(*held(helix), torque=TORQUE, positions=2, start=0.1)


# ------------------------------------------------------------------------------------------------------ Hertz's ellipse


def principal_curvatures(a: Teeth, b: Teeth, patch: ContactPatch) -> tuple[float, float]:
    """Of two involute helicoids where a patch is pressed hardest, gear A at phase 0: eigenvalues of the sum of both.

    Each helicoid is straight along its generator, and has the curvature cos β_b/L across it.
    """
    pose, _ = place_teeth(a, b)
    at = int(patch.force.argmax())
    tensor = np.zeros((3, 3))
    for flank, L, z, tooth, rotation in (
        (a.left, patch.roll_a[at], patch.zeta_a[at], patch.tooth_a, np.eye(3)),
        (b.left, patch.roll_b[at], patch.zeta_b[at], patch.tooth_b, pose.rotation),
    ):
        step = 1e-6
        across = rotation @ (flank.point(L + step, z, tooth) - flank.point(L - step, z, tooth))
        across /= np.linalg.norm(across)
        tensor += math.cos(flank.involute.base_helix_angle) / L * np.outer(across, across)
    found = np.linalg.eigvalsh(tensor)
    return float(found[2]), float(found[1])


def hertz(force: float, strong: float, weak: float, modulus: float) -> tuple[float, float, float]:
    """Semi-axes a > b [m] and greatest pressure [Pa] (Johnson, Contact Mechanics, 1985, 4.26 to 4.32)."""

    def sums(m: float) -> tuple[float, float]:
        K, E = ellipk(m), ellipe(m)
        return (K - E) / m, (E / (1.0 - m) - K) / m

    m = brentq(lambda m: sums(m)[1] / sums(m)[0] - strong / weak, 1e-6, 1.0 - 1e-9)
    a = (3.0 * force / (2.0 * math.pi * modulus) * sums(m)[0] / (0.5 * weak)) ** (1.0 / 3.0)
    b = a * math.sqrt(1.0 - m)
    return a, b, 1.5 * force / (math.pi * a * b)


@pytest.mark.parametrize("torque", [2.0, 8.0])
def test_a_lightly_loaded_beveloid_pair_touches_in_the_ellipse_of_hertz(torque: float) -> None:
    a, b = beveloids()
    found = flank_contact(a, b, torque=torque)
    patch = found.patch()
    assert not patch.on_edge
    modulus = contact_modulus(a.material, b.material)
    long, short, peak = hertz(patch.total_force, *principal_curvatures(a.teeth, b.teeth, patch), modulus)
    assert patch.length == pytest.approx(2.0 * long, rel=0.05)
    assert patch.width == pytest.approx(2.0 * short, rel=0.03)
    assert patch.peak_pressure == pytest.approx(peak, rel=0.03)
    assert patch.area == pytest.approx(math.pi * long * short, rel=0.05)


def test_patches_of_hertz_grow_as_the_cube_root_of_the_load() -> None:
    a, b = beveloids()
    found = flank_contact(a, b, torque=[1.0, 8.0])
    light, heavy = (found.patch(t, 0, 0) for t in (0, 1))
    ratio = (heavy.total_force / light.total_force) ** (1.0 / 3.0)
    for name in ("length", "width", "peak_pressure"):
        assert getattr(heavy, name) / getattr(light, name) == pytest.approx(ratio, rel=0.04), name


# ---------------------------------------------------------------------------------------------------- other computations


@pytest.mark.parametrize("method", ["cells", "strips"])
@pytest.mark.parametrize("helix", [0.0, math.radians(15.0)])
def test_transmission_error_and_shares_are_those_of_loaded_contact(method: str, helix: float) -> None:
    """Both start from the same finite elements and resolve contact by themselves.

    A strip carries as a whole: where contact lines end between strips of helical teeth, shares are coarser.
    """
    within = 0.03 if method == "strips" and helix else 0.02
    found = pressed(method, helix)
    reference = resolved(helix)
    assert found.transmission_error[0] == pytest.approx(reference.transmission_error[0], rel=0.02)
    assert found.stiffness[0] == pytest.approx(reference.tangent_stiffness[0], rel=0.03)
    for i in range(len(found.phase)):
        expected = dict(zip(reference.pairs, reference.pair_load[0, i], strict=True))
        for tooth, share in found.shares(0, i).items():
            assert share == pytest.approx(expected[tooth] / sum(expected.values()), abs=within)


def test_the_torque_is_that_of_the_normal_forces() -> None:
    for method in ("cells", "strips"):
        found = pressed(method)
        lever = found.b.left.involute.base_radius  # of every normal to an involute, edges of tips apart
        single = found.tooth_pairs[0] == 1
        assert single.any()
        assert found.normal_force[0, single] * lever == pytest.approx(TORQUE, rel=1e-6)


def test_pressure_is_that_of_hertz_in_the_middle_of_the_face() -> None:
    """One pair of spur teeth: a line contact, away from the ends of the face."""
    found = pressed("cells")
    i = int(np.argmin(found.tooth_pairs[0]))
    patch = found.patch(0, i)
    middle = int(np.abs(patch.zeta_a).argmin())
    modulus = contact_modulus(*(gear.material for gear in held()))
    load, radius = patch.line_load[middle], patch.radius[middle]
    assert patch.pressure[middle] == pytest.approx(math.sqrt(load * modulus / (math.pi * radius)), rel=0.02)
    assert patch.half_width[middle] == pytest.approx(math.sqrt(4.0 * load * radius / (math.pi * modulus)), rel=0.02)
    assert patch.length == pytest.approx(10e-3, rel=1e-9)


def test_pressure_over_the_patch_carries_its_force() -> None:
    a, b = beveloids()
    patch = flank_contact(a, b, torque=20.0).patch()
    zeta, low, high = patch.outline
    L, z = np.linspace(low.min(), high.max(), 300), np.linspace(zeta[0], zeta[-1], 201)
    arc = L**2 / (2.0 * patch.base_radius)
    p = patch.pressure_at(L[:, None], z[None, :])
    assert np.trapezoid(np.trapezoid(p, arc, axis=0), z) / patch.slope == pytest.approx(patch.total_force, rel=0.02)
    assert p.max() == pytest.approx(patch.peak_pressure, rel=0.02)


def test_both_flanks_are_mirror_images() -> None:
    left = flank_contact(*held(), torque=TORQUE, phase=0.13)
    right = flank_contact(*held(), torque=-TORQUE, phase=-0.13)
    assert right.side == "right"
    assert right.transmission_error == pytest.approx(left.transmission_error, rel=1e-4)
    assert right.peak_pressure == pytest.approx(left.peak_pressure, rel=1e-3)


def test_refinement_changes_little() -> None:
    a, b = beveloids()
    coarse, fine = (flank_contact(a, b, torque=100.0, strips=n, cells=c) for n, c in ((12, 9), (24, 15)))
    first, second = coarse.patch(), fine.patch()
    assert not second.on_edge
    assert coarse.transmission_error == pytest.approx(fine.transmission_error, rel=5e-3)
    assert first.length == pytest.approx(second.length, rel=0.03)
    assert first.area == pytest.approx(second.area, rel=0.04)
    assert first.peak_pressure == pytest.approx(second.peak_pressure, rel=0.03)


def test_an_internal_pair_touches_along_a_line_of_its_relative_curvature() -> None:
    """A pinion in a ring: 1/R = 1/L_A − 1/L_B, a line contact wider than that of external teeth.

    At the sharp ends of the face the pressure is higher, which marks the patch; a crowned face has no such ends.
    """
    gear = Gear(teeth=40, internal=True, normal_module=MODULE, face_width="10 mm", rim_diameter="110 mm")
    ring = elastic_gear(Teeth(gear, cutter_teeth=15), grid=COARSE, cache=False)
    plain = held()[0]
    crowned = plain.with_teeth(Teeth(plain.teeth.gear, both=LeadCrowning("8 um")))
    modulus = contact_modulus(plain.material, ring.material)
    for pinion in (plain, crowned):
        patch = flank_contact(pinion, ring, torque=TORQUE).patch()
        middle = int(np.abs(patch.zeta_a).argmin())
        assert 1.0 / patch.radius[middle] == pytest.approx(
            1.0 / patch.roll_a[middle] - 1.0 / patch.roll_b[middle], rel=1e-9
        )
        assert patch.half_width[middle] == pytest.approx(
            math.sqrt(4.0 * patch.line_load[middle] * patch.radius[middle] / (math.pi * modulus)), rel=0.03
        )
        assert not patch.across_pressure[:, [0, -1]].any()
        assert patch.on_edge == (pinion is plain)


def test_a_relieved_tip_takes_contact_off_the_edge() -> None:
    a, b = held()
    relief = TipRelief("60 um", length="1.5 mm")
    relieved = [gear.with_teeth(Teeth(gear.teeth.gear, both=relief)) for gear in (a, b)]
    options = {"torque": TORQUE, "phase": (0.5, 0.9), "strips": 10, "cells": 9}
    plain, better = flank_contact(a, b, **options), flank_contact(*relieved, **options)
    edges = [sum(patch.on_edge for now in found.patches[0] for patch in now) for found in (plain, better)]
    assert edges[0] > 0 and edges[1] == 0
