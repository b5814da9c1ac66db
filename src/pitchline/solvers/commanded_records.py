"""Records of a run that another program commands (see `commanded_run`)."""

from ..math.fields import INTEGER, NUMBER, elsewhere, fields, inline, reference, table
from ..system.reporting import Report
from .run_record import Run

__all__ = ["CommandedInput", "CommandedRun", "PairFlank", "Followed"]

CommandedInput = fields(
    "CommandedInput",
    quantity=INTEGER,
    hold=INTEGER,
    first=INTEGER,  # its functions: range of the list of places
    last=INTEGER,
    target=NUMBER,  # value that was set last
    t=NUMBER,  # the polynomial from this time on
    c0=NUMBER,
    c1=NUMBER,
    c2=NUMBER,
    c3=NUMBER,
    end_value=NUMBER,  # its value and slope at the end of the interval
    end_slope=NUMBER,
    before_t=NUMBER,  # the setting before
    before_value=NUMBER,
)

Followed = fields("Followed", n=INTEGER, source=elsewhere("n"), last=inline(4))
"""Quaternion whose sign follows that of its last value."""

PairFlank = fields(
    "PairFlank",
    n=INTEGER,
    flank=elsewhere("n"),  # reported signals of a gear pair: its loaded flank, force and transmission error
    force=elsewhere("n"),
    error=elsewhere("n"),
    has_backlash=INTEGER,
    play=NUMBER,  # backlash, in the direction of the transmission error
    unfelt=NUMBER,  # force that counts as zero
    chosen=NUMBER,  # without backlash: the flank of the first force, 0 before it
    side=NUMBER,
)
"""Flank to which the signals of a gear pair refer, 1 drive or -1 coast (see `elements.loaded_flank`)."""

CommandedRun = fields(
    "CommandedRun",
    run_address=INTEGER,
    run=reference(Run),
    report_address=INTEGER,
    report=reference(Report),
    step=NUMBER,  # fixed step
    direct=INTEGER,  # accelerations jump by a linear solution; otherwise the next step contains none of the past
    massless=INTEGER,  # there are coordinates without mass, whose rates jump
    is_train=INTEGER,
    train_take_steps=INTEGER,
    train_show=INTEGER,
    take_steps=INTEGER,  # of the general evaluator, which follows a train whose Newton fails
    show=INTEGER,
    n_inputs=INTEGER,
    inputs=table(CommandedInput),
    n_places=INTEGER,
    places=elsewhere("n_places", of="integer"),  # functions of all inputs
    jumps=elsewhere("n_places"),
    curvatures=elsewhere("n_places"),
    n_rows=INTEGER,
    rows=elsewhere("n_rows", of="integer"),  # multipliers of drives that are inputs
    place_of_row=elsewhere("n_rows", of="integer"),
    row_curvatures=elsewhere("n_rows"),
    n=INTEGER,
    before=elsewhere("n"),  # residual before a jump
    n_matrix=INTEGER,
    matrix=elsewhere("n_matrix"),  # scratch: as large as the matrix if there are coordinates without mass
    recovers=INTEGER,  # forces of joints that became coordinates are reported
    opens=INTEGER,  # and condensed coordinates take part in them
    n_held=INTEGER,
    B=elsewhere("n_held", 6),
    G=elsewhere("n_held", "n_held"),
    b=elsewhere("n_held"),
    n_followed=INTEGER,
    followed=table(Followed),
    n_sides=INTEGER,
    sides=table(PairFlank),
    start_energy=NUMBER,  # energy, work and losses at the start
    start_work=NUMBER,
    start_losses=NUMBER,
    balance_error=NUMBER,
)
