"""Mesh laws of users, for tests: a module that model files name."""

import math

from pitchline.extend import MeshLaw, number


class Hertz(MeshLaw):
    """Point contact with a stiffness that varies over the mesh cycle, and a damper that grows with the penetration."""

    load = number("N", "force at a penetration of 10 um", least=0.0)
    damping = number("s/m", "relative increase of the force with the rate", 0.0)
    wave = number("", "relative amplitude over the mesh cycle", 0.0, least=0.0, most=0.9)

    def force(s, approach, rate, phase):
        wave = 1.0 + s.wave * math.cos(2.0 * math.pi * phase)
        return s.load * (approach / 1e-5) ** 1.5 * (1.0 + s.damping * rate) * wave


class Linear(MeshLaw):
    """Spring and damper, as Elastic."""

    stiffness = number("N/m", "stiffness")
    damping = number("N*s/m", "damping", 0.0)

    def force(s, approach, rate, phase):
        return s.stiffness * approach + s.damping * rate


class Misspelt(MeshLaw):
    """It cannot be compiled."""

    stiffness = number("N/m", "stiffness")

    def force(s, approach, rate, phase):
        if approach > 1.0:
            return s.stifness * approach
        return s.stiffness * approach


class NotALaw:
    """A class that is no mesh law."""
