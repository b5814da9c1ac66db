"""Vlasenko and Kasper: gears in absolute coordinates."""

from references.papers.entry import FIGURE, Entry, Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="vlasenko_kasper",
    title="Vlasenko and Kasper: gears in absolute coordinates",
    cited="D. Vlasenko and R. Kasper, *Spatial kinematics of gears in absolute coordinates*, European "
    "Conference on Modelling and Simulation, 2009.",
    about="The paper has rolling gear joints as constraints of bodies in absolute coordinates, with a "
    "transformed Jacobian matrix, and a robot with 43 bodies. In pitchline they are the mesh `Rolling` "
    "and the gallery entry `robot-arm`.",
    entries=(Entry("fig. 5", FIGURE, "Robot with 43 bodies and 95 joints.", "Gallery entry `robot-arm`."),),
)
