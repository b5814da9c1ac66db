"""Teeth are what their tools leave: no position of the tool enters the tooth, and every point of it is touched.

The tools are described as plain shapes (half planes, circles), independent of the envelope equations.
"""

import numpy as np
from references.teeth_cases import into_rack, random_gears


def test_rack_touches_every_point_of_the_profile_and_enters_none():
    for teeth in random_gears(25, 11):
        flank, m = teeth.left, teeth.gear.normal_module
        end = float(flank.fillet.limits(0.0)[1])
        L = np.linspace(float(flank.form_roll_length(0.0)), float(flank.tip_roll_length(0.0)), 6)
        for points in (
            flank.root.section(np.linspace(0.0, 1.0, 3), 0.0),
            flank.fillet.section(np.linspace(0.02, end, 9), 0.0),
            flank.involute.section(L, 0.0),
        ):
            assert np.abs(into_rack(teeth, points)).max() < 1e-11 * m


def test_shaper_touches_every_point_of_the_fillet_and_enters_none():
    """The least distance of a point from the centre of the cutter's rounding, over all positions, is its radius."""
    for teeth in random_gears(25, 12, internal=True):
        cutter = teeth.cutter
        half = np.exp(1j * np.pi / cutter.ring_teeth)
        P = half * teeth.right.fillet.section(np.linspace(0.0, 1.0, 9), 0.0)  # from the middle of the space
        centre, width = np.zeros(len(P)), np.full(len(P), 0.6)
        for _ in range(22):
            chi = centre[:, None] + width[:, None] * np.linspace(-1.0, 1.0, 201)
            k = cutter.teeth / cutter.ring_teeth
            C = np.exp(1j * k * chi) * (cutter.centre_distance + cutter.centre * np.exp(-1j * chi))
            distance = np.abs(P[:, None] - C)
            best = np.argmin(distance, axis=1)
            centre = chi[np.arange(len(P)), best]
            width = width / 8.0
        assert np.abs(distance.min(axis=1) - cutter.tip_rounding).max() < 1e-11 * teeth.gear.normal_module


def test_sections_of_a_helical_gear_are_one_profile_turned():
    """ϑ(ζ) = ζ tan β / r for all surfaces."""
    for teeth in random_gears(10, 13):
        gear = teeth.gear
        z = 0.4 * gear.face_width
        turn = np.exp(1j * z * np.tan(gear.helix_angle) / (0.5 * gear.reference_diameter))
        for surface, u in (
            (teeth.left.fillet, 0.4),
            (teeth.right.root, 0.7),
            (teeth.right.involute, 1.5 * gear.normal_module),
            (teeth.tip, 0.5),
        ):
            assert abs(surface.section(u, z) - turn * surface.section(u, 0.0)) < 1e-14 * gear.reference_diameter
