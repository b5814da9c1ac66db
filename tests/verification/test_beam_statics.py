"""Chains of beam elements in statics: closed forms, large rotations, observed orders."""

from itertools import pairwise

import numpy as np
import pytest
from references.beam_chain import BeamChain
from references.observed_order import observed_order

from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.shafts.sections import BeamSection, ShaftSection
from pitchline.parts.shafts.segment import Segment, deflection_line, section_forces, stresses_along

STEEL = Material("steel", density=7850, youngs_modulus=2.1e11, poissons_ratio=0.3)
UNIT = BeamSection(stiffness=np.diag([5e6, 5e6, 1e7, 1e7 / 12, 1e7 / 12, 5e6 / 6]), mass=np.eye(6))
"""Square 1 x 1 of E = 1e7, G = 5e6: the section of Bathe and Bolourchi."""


def end_load(elements: int, **components: float) -> np.ndarray:
    names = ("x", "y", "z", "mx", "my", "mz")
    f = np.zeros(6 * elements + 6)
    for name, value in components.items():
        f[6 * elements + names.index(name)] = value
    return f


@pytest.mark.parametrize("elements", [1, 2, 5])
def test_cantilever_with_shear_is_exact(elements: int) -> None:
    """Short cantilever, length twice the diameter: w = F L³/(3 EI) + F L/(kGA), slope F L²/(2 EI), twist T L/(GJ), u = N L/(EA)."""
    length, section = 0.12, BeamSection.circle(0.06, material=STEEL)
    GA, _, EA, EI, _, GJ = np.diag(section.stiffness)
    chain = BeamChain.straight([Segment.uniform(length / elements, section)] * elements)
    F = 1e3
    tip = chain.linear(end_load(elements, x=F, z=2 * F, mz=F))[-1]
    exact = [
        F * length**3 / (3 * EI) + F * length / GA,
        0,
        2 * F * length / EA,
        0,
        F * length**2 / (2 * EI),
        F * length / GJ,
    ]
    np.testing.assert_allclose(tip, exact, rtol=1e-9, atol=1e-18)


def test_steps_and_tapers_inside_one_element_are_exact() -> None:
    """One element with all steps inside against twelve; the stretch of a cone, N L/(E pi/4 d_1 d_2)."""
    sections = [
        ShaftSection(0.02, 0.03),
        ShaftSection(0.035, 0.04, inner=0.012),
        ShaftSection(0.03, 0.04, outer_end=0.03),
    ]
    whole = Segment.of_shaft(sections, STEEL)
    ends = np.linspace(0, 1, 13)
    many = [whole.between(a, b) for a, b in pairwise(ends)]
    one, other = (BeamChain.straight(s).linear(end_load(len(s), x=1.0, y=-2.0, mz=1.0))[-1] for s in ([whole], many))
    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-20)
    cone = BeamChain.straight([Segment.of_shaft([ShaftSection(0.1, 0.04, outer_end=0.02)], STEEL)])
    assert cone.linear(end_load(1, z=1.0))[-1, 2] == pytest.approx(0.1 / (2.1e11 * np.pi / 4 * 0.04 * 0.02), rel=2e-6)


@pytest.mark.parametrize("elements", [4, 9])
def test_roll_up_to_a_circle(elements: int) -> None:
    """The end moment 2 pi EI/L bends a beam to a full circle, with any number of elements."""
    section = BeamSection.rectangle(0.02, 0.02, material=STEEL)
    chain = BeamChain.straight([Segment.uniform(1.0 / elements, section)] * elements)
    moment = 2 * np.pi * section.stiffness[3, 3]
    chain.solve(end_load(elements, mx=moment), steps=40)
    np.testing.assert_allclose(chain.x[-1], 0.0, atol=1e-12)
    np.testing.assert_allclose(chain.R[-1], np.eye(3), atol=1e-12)


def bend_tip(elements: int) -> np.ndarray:
    """Displacement of the tip of a 45 degree bend of radius 100 under 600 out of its plane."""
    angle = np.linspace(0, np.pi / 4, elements + 1)
    x = 100 * np.stack([np.cos(angle) - 1, np.sin(angle), 0 * angle], axis=1)
    outwards = np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)
    along = np.stack([-np.sin(angle), np.cos(angle), 0 * angle], 1)
    R = np.stack([outwards, np.cross(along, outwards), along], axis=2)
    chain = BeamChain([Segment.uniform(100 * np.pi / 4 / elements, UNIT)] * elements, x, R)
    chain.solve(end_load(elements, z=600.0), steps=40)
    return chain.x[-1] - x[-1]


def test_bend_of_bathe_and_bolourchi() -> None:
    """Limit (13.604, -23.560, 53.475) (Bathe and Bolourchi, Int. J. Numer. Methods Eng. 14, 1979, as others computed it since). The
    curvature of the reference line inside the elements makes the error fall with the fourth power of their length."""
    coarse, middle, fine = (bend_tip(n) for n in (2, 4, 8))
    limit = (16 * fine - middle) / 15
    np.testing.assert_allclose(limit, [13.604, -23.560, 53.475], atol=1e-3)
    assert observed_order([np.linalg.norm(v - limit) for v in (coarse, middle, fine)]) == pytest.approx(4.0, abs=0.25)
    np.testing.assert_allclose(middle, limit, rtol=3e-4)


def test_curved_reference_is_stress_free_and_exact_in_linear_statics() -> None:
    """A quarter arc as one element with its curvature inside against thirty-two."""
    section = BeamSection.circle(0.02, material=STEEL)
    found = []
    for elements in (1, 32):
        angle = np.linspace(0, np.pi / 2, elements + 1)
        x = 0.3 * np.stack([np.cos(angle) - 1, np.sin(angle), 0 * angle], axis=1)
        outwards = np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)
        along = np.stack([-np.sin(angle), np.cos(angle), 0 * angle], 1)
        R = np.stack([outwards, np.cross(along, outwards), along], axis=2)
        chain = BeamChain([Segment.uniform(0.15 * np.pi / elements, section)] * elements, x, R)
        np.testing.assert_allclose(chain.assembled()[0], 0.0, atol=1e-5)
        found.append(chain.linear(end_load(elements, x=1.0, z=1.0, y=-1.0))[-1])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6, atol=1e-16)


def test_what_happens_along_a_segment() -> None:
    """Deflection line, section forces and stresses between the nodes of one element: those of the cantilever with shear."""
    length, d = 0.3, 0.04
    section = BeamSection.circle(d, material=STEEL)
    GA, EI = section.stiffness[0, 0], section.stiffness[3, 3]
    segment = Segment.uniform(length, section)
    chain = BeamChain.straight([segment])
    F = 10.0
    chain.move(chain.linear(end_load(1, x=F)).ravel())
    n = chain.elements[0]
    n.nodes[:, :3], n.nodes[:, 3:12] = chain.x, chain.R.reshape(2, 9)
    out = n.report()
    deformed = segment.rest + np.concatenate([out["stretch"], out["bend"]])
    shares = np.array([0.0, 0.25, 0.5, 1.0])
    x, R = deflection_line(segment, deformed, shares)
    z = shares * length
    np.testing.assert_allclose(x[:, 0], F * (length * z**2 / 2 - z**3 / 6) / EI + F * z / GA, rtol=1e-6, atol=1e-18)
    np.testing.assert_allclose(R[:, 0, 2], F * (length * z - z**2 / 2) / EI, rtol=1e-6, atol=1e-18)
    forces = section_forces(segment, n.element.values["stiffness"] @ (deformed - segment.rest), shares)
    np.testing.assert_allclose(forces[:, 0], F, rtol=1e-6)
    np.testing.assert_allclose(forces[:, 4], F * (length - z), atol=1e-7 * F)
    stress = stresses_along(segment, n.element.values["stiffness"] @ (deformed - segment.rest), shares)
    np.testing.assert_allclose([s.bending for s in stress], 32 * F * (length - z) / (np.pi * d**3), atol=1e-4)
    np.testing.assert_allclose(out["moment_a"], forces[0, 3:], atol=1e-10)
