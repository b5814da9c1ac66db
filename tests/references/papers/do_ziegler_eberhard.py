"""Do, Ziegler and Eberhard: elastic gears with any flank."""

from references.papers.entry import TABLE, Entry, Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="do_ziegler_eberhard",
    title="Do, Ziegler and Eberhard: elastic gears with any flank",
    cited="T. Do, P. Ziegler and P. Eberhard, *Simulation of elastic gears with non-standard flank profiles*, "
    "ECCOMAS Multibody Dynamics, 2013.",
    about="The paper has gears of finite elements, reduced to modes, in contact on their flanks, without an "
    "assumption about the geometry. In pitchline they are `elastic_gear`, the mesh `Flank` and [published "
    "runs](../reference/elastic_motion_published.md).",
    entries=(
        Entry(
            "table 1",
            TABLE,
            "Data of the spur and helical gears.",
            "Gallery entries `table1-spur` and `table1-helical`.",
        ),
    ),
)
