"""Cardona: flexible gears in space."""

from references.papers.entry import SECTION, Entry, Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="cardona",
    title="Cardona: flexible gears in space",
    cited="A. Cardona, *Flexible three dimensional gear modelling in mechanism analysis*, Revue européenne des "
    "éléments finis 6, 1997.",
    about="The paper has a gear pair of any kind as a joint of a multibody code: pitch geometry, mesh "
    "stiffness, backlash, transmission error and friction, with an augmented Lagrangian, Newton iteration "
    "and HHT. In pitchline it is `GearPair` with the meshes `Rigid` and `Elastic`.",
    entries=(
        Entry(
            "section 7.1",
            SECTION,
            "Bevel wheel that rolls on a fixed one, carried by a bar.",
            "Gallery entry `bevel-pair`.",
        ),
    ),
)
