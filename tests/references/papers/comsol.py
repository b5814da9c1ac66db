"""COMSOL: theory of gear pairs."""

from references.papers.entry import SECTION, Entry, Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="comsol",
    title="COMSOL: theory of gear pairs",
    cited="COMSOL Multiphysics, *Multibody Dynamics Module User's Guide*, section Theory for Gear Pairs.",
    about="The text has a gear pair with one constraint along the line of action, with elasticity, transmission "
    "error, backlash, friction and line contact. In pitchline it is `GearPair` with the meshes `Rigid` "
    "and `Elastic`.",
    entries=(
        Entry(
            "compatibility",
            SECTION,
            "Equal module and pressure angle; helix angles that fit the axes.",
            "`GearPair` checks them and states the way out.",
        ),
    ),
)
