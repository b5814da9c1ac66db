"""KernelText: all parts of the text of a kernel for a train, before a frame puts them into loops."""

from __future__ import annotations

from collections.abc import Sequence

from ..lane_train import LaneTrain
from .clock_text import ClockText
from .cut_text import CutText
from .force_text import ForceText
from .lane_signal import LaneSignal
from .phase_text import NEAR
from .signal_text import SignalText
from .step_text import StepText

__all__ = ["KernelText"]


class KernelText:
    """Parts of a kernel.

    state : variables of the state of a lane, in the order of the rows of S: q_i, then v_i.
    kept : sums and other results of a lane in the order of the rows of R, and their values at the start.
    again : whether some steps are made again, by the text of `cut_text`: those with `again` > 0.
    cycle_names : variables of a lane that change with the cycle.
    """

    def __init__(
        self,
        train: LaneTrain,
        signals: Sequence[LaneSignal] = (),
        poincare: Sequence[tuple[str, int]] = (),
        *,
        losses: bool = True,
        lanes: int | None = None,
        phase: str = NEAR,
        cut: bool = True,
    ) -> None:
        self.train = train
        self.force = ForceText(train, lanes, phase)
        self.clock = ClockText(train, self.force.numbers, timed=self.force.timed, speeds=cut or self.force.turning)
        kinks = any(mesh.watched for mesh in self.force.meshes)
        self.again = (cut and kinks) or bool(self.force.phases.moved)
        self.signals = SignalText(
            self.force, signals, poincare, losses=losses, smooth=cut or not kinks, marked=cut and kinks
        )
        self.table_width = max(len(self.force.phases.columns), 1)
        self.step = StepText(self.force, self.clock, self.signals, self.table_width, cut)
        self.cut = CutText(self.force, self.clock, self.signals, self.table_width, cut)
        free = train.free
        self.state = [f"q{i}" for i in free] + [f"v{i}" for i in free]
        self.cycle_names = [*self.force.phases.lane_names, *self.clock.lane_names]
        self.kept = dict(self.signals.sums)
        self.kept |= {"cycles_done": "0.0"} if self.clock.ramp else {}
        self.kept |= {"missed_": "0.0"} if self.again else {}
        # all numbers are found when the texts are made for the first time
        self.step.text(), self.cycle_text(), self.signals.poincare_text()
        if self.again:
            self.cut.text()

    def cycle_text(self) -> list[str]:
        """Lines at the start of a cycle."""
        return [*self.force.phases.reference_text(), *self.clock.cycle_text()]

    def argument_text(self) -> list[str]:
        """Numbers of the run."""
        names = ("cycles", "steps", "keep", "first_cycle", "table_start", "table_end", "first_point")
        return [f"{name} = I[{n}]" for n, name in enumerate(names)] + self.angle_text()

    def angle_text(self) -> list[str]:
        """Angles of the run."""
        return ["cycle_angle = A[0]", "step_angle = A[1]", "half_angle = A[2]"]

    def uniform_text(self) -> list[str]:
        """Numbers that are the same for all lanes."""
        return [f"{name} = U[{n}]" for n, name in enumerate(self.force.numbers.uniform)]
