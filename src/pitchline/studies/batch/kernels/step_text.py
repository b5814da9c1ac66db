"""One step of the classical Runge-Kutta method of order four, from q and v: text with all stages written out."""

from __future__ import annotations

from .clock_text import ClockText
from .force_text import ForceText
from .phase_text import FAR
from .signal_text import SignalText
from .text import indented

__all__ = ["StepText"]


class StepText:
    """Text of a step. Columns of the table of phases at its start, its middle and its end are `at0` + 0, 1, 2 widths."""

    def __init__(self, force: ForceText, clock: ClockText, signals: SignalText, table_width: int, cut: bool) -> None:
        self._force, self._clock, self._signals, self._width = force, clock, signals, table_width
        self._watched = [watched for mesh in force.meshes for watched in mesh.watched] if cut else []

    def text(self) -> list[str]:
        """Lines of the step: new q and v, a sample of its start, and `again`."""
        free = self._force.free
        out = [*self._clock.step_text(), "far = 0.0"]
        out += [f"y{i} = q{i}" for i in free] + [f"u{i} = v{i}" for i in free]
        for stage, (half, ahead) in enumerate(((0, "h2"), (1, "h2"), (1, "h"), (2, ""))):
            out += [f"at = at0 + {half * self._width}", *self._clock.stage_text(f"theta0 + {half}*half_angle")]
            out += self._force.stage_text()
            if stage == 0:
                out += self._signals.sample_text()
            out += self._observe(stage)
            out += self._advance(stage, ahead)
        return out + self._judge()

    def looped_text(self) -> list[str]:
        """The same with the stages in a loop."""
        free, clock = self._force.free, self._clock
        out = [*clock.step_text(), "far = 0.0"]
        out += [f"{to}{i} = {start}{i}" for i in free for to, start in (("y", "q"), ("u", "v"))]
        out += [f"{name}{i} = 0.0" for i in free for name in ("dq", "dv")]
        out += [f"{name} = 0.0" for name in self._signals.samples]
        for n, (_, _) in enumerate(self._watched):
            out += [f"low{n} = 1e300", f"high{n} = -1e300", f"curve{n} = 0.0"]
        body = ["half = (stage + 1) >> 1", f"at = at0 + {self._width}*half", "weight = 2.0 if half == 1 else 1.0"]
        body += ["ahead = h2 if stage < 2 else h", *clock.stage_text("theta0 + half*half_angle")]
        body += self._force.stage_text()
        sample = self._signals.sample_text()
        body += ["if stage == 0:", *indented(sample, 1)] if sample else []
        body += ["side = 3.0 - 2.0*weight", *self._observe(-1)] if self._watched else []
        for i in free:
            u, a = clock.rate(f"u{i}"), clock.rate(f"a{i}")
            body += [f"ux = {u}", f"ax = {a}", f"dq{i} = dq{i} + weight*ux", f"dv{i} = dv{i} + weight*ax"]
            body += [f"y{i} = q{i} + ahead*ux", f"u{i} = v{i} + ahead*ax"]
        out += ["for stage in range(4):", *indented(body, 1)]
        out += [f"q{i} = q{i} + h6*dq{i}" for i in free] + [f"v{i} = v{i} + h6*dv{i}" for i in free]
        return out + self._judge()

    def _observe(self, stage: int) -> list[str]:
        """Smallest and largest value of what changes its sign with a side, and its second difference over half a step.

        stage : -1 in a loop over the stages, where `side` is 1 at both ends of the step and -1 in its middle.
        """
        out = []
        for n, (value, _) in enumerate(self._watched):
            if stage == 0:
                out += [f"low{n} = {value}", f"high{n} = low{n}", f"curve{n} = low{n}"]
                continue
            out += [f"now = {value}", f"low{n} = min(low{n}, now)", f"high{n} = max(high{n}, now)"]
            sign = "side*" if stage < 0 else "-" if stage < 3 else ""
            out.append(f"curve{n} = curve{n} + {sign}now" if sign != "-" else f"curve{n} = curve{n} - now")
        return out

    def _judge(self) -> list[str]:
        out = ["kink = -1.0"] if self._watched else []
        for n, (_, levels) in enumerate(self._watched):
            # between two stages a parabola passes both of its values by at most an eighth of the second difference
            out += [f"now = 0.25*abs(curve{n})", f"low{n} = low{n} - now", f"high{n} = high{n} + now"]
            for level in levels:
                both = f"min(high{n}, -low{n})" if level == "0.0" else f"min(high{n} - {level}, {level} - low{n})"
                out.append(f"kink = max(kink, {both})")
        out += ["mark = 1.0 if kink > 0.0 else 0.0"] if self._signals.marked else []
        far = f"far - {FAR * FAR!r}" if self._force.phases.moved else ""
        if self._watched and far:
            return [*out, f"again = max(kink, {far})"]
        return [*out, f"again = {'kink' if self._watched else far}"] if self._watched or far else out

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
