"""One step of the classical Runge-Kutta method of order four, from q and v: text with all stages written out."""

from __future__ import annotations

from .clock_text import ClockText
from .force_text import ForceText
from .signal_text import SignalText

__all__ = ["StepText"]


class StepText:
    """Text of a step. Columns of the table of phases at its start, its middle and its end are `at0` + 0, 1, 2 widths."""

    def __init__(self, force: ForceText, clock: ClockText, signals: SignalText, table_width: int) -> None:
        self._force, self._clock, self._signals, self._width = force, clock, signals, table_width

    def text(self) -> list[str]:
        """Lines of the step: new q and v, a sample of its start."""
        free = self._force.free
        out = [*self._clock.step_text(), "far = 0.0"]
        out += [f"y{i} = q{i}" for i in free] + [f"u{i} = v{i}" for i in free]
        for stage, (half, ahead) in enumerate(((0, "h2"), (1, "h2"), (1, "h"), (2, ""))):
            out += [f"at = at0 + {half * self._width}", *self._clock.stage_text(f"theta0 + {half}*half_angle")]
            out += self._force.stage_text()
            if stage == 0:
                out += self._signals.sample_text()
            out += self._advance(stage, ahead)
        return out

    def _advance(self, stage: int, ahead: str) -> list[str]:
        """Sums of the rates, and state of the next stage."""
        out, rate, weight = [], self._clock.rate, "2.0*" if stage in (1, 2) else ""
        for i in self._force.free:
            if self._clock.ramp:
                out += [f"ur{i} = {rate(f'u{i}')}", f"ar{i} = {rate(f'a{i}')}"]
            x, v = (f"ur{i}", f"ar{i}") if self._clock.ramp else (f"u{i}", f"a{i}")
            if stage == 0:
                out += [f"dq{i} = {x}", f"dv{i} = {v}"]
            elif stage == 3:
                out += [f"q{i} = q{i} + h6*(dq{i} + {x})", f"v{i} = v{i} + h6*(dv{i} + {v})"]
                continue
            else:
                out += [f"dq{i} = dq{i} + {weight}{x}", f"dv{i} = dv{i} + {weight}{v}"]
            out += [f"y{i} = q{i} + {ahead}*{x}", f"u{i} = v{i} + {ahead}*{v}"]
        return out
