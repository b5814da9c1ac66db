"""One step of a lane that is cut where a flank comes into contact or leaves it: text.

Plain steps across such a kink of the force are of order two; with a damper that acts only in contact the force jumps, and they are
of order one. Here the sides of all flanks are frozen, so that the law is smooth. If the end of the step contradicts a side, a
cubic through approach and rate at both ends gives the time of the change. The step goes to this time; the side changes, and the
rest of the step follows. The cubic has an error of order four in time, which after a jump is an error of this order in the state,
and after a kink one of order eight.

Phases are computed from the middle of the step, with sine and cosine where the polynomials do not suffice. Therefore this text
also makes the steps of lanes whose phase has changed too much since the start of the cycle.
"""

from __future__ import annotations

from dataclasses import dataclass

from .clock_text import ClockText
from .cubic_zero import CUBIC_NAMES, ESTIMATE, KEEP, ROOT
from .force_text import ForceText
from .mesh_text import MeshText
from .signal_text import SignalText
from .text import indented

__all__ = ["CutText"]

MOST = 16
"""Changes of side in one step; the rest of the step is then a plain one."""


@dataclass(frozen=True)
class _SideEvent:
    """Change of a side.

    value : text of what changes its sign. rate : text of its rate; empty if it is found from three values.
    sign : text of the sign of the value on the present side. change : lines that change the side. active : condition, or empty.
    """

    value: str
    rate: str
    sign: str
    change: tuple[str, ...]
    active: str = ""


class CutText:
    """Text of the cut step of a lane, from q and v to new q and v."""

    def __init__(self, force: ForceText, clock: ClockText, signals: SignalText, table_width: int, cut: bool) -> None:
        self._force, self._clock, self._width, self._cut = force, clock, table_width, cut
        self._free = force.free
        self._events = [event for mesh in force.meshes for event in (_events(mesh) if cut else [])]
        self.apart = [k for k in signals.lost if cut and force.meshes[k].sides]
        """Meshes whose `apart` becomes the fraction of the step without contact."""
        self.sampled = [name for name in signals.samples if name != "mark"] if force.phases.moved else []
        """Samples that are taken again: those of the step are wrong where the polynomials of the phase do not suffice."""
        self._sample = signals.sample_text() if self.sampled else []

    def text(self) -> list[str]:
        """Lines of the step. Uses at0, theta0 and the numbers of the run; sets q, v, apart and `missed`."""
        out = [*self._clock.step_text(), "missed = 0.0", "fresh = True", f"natural = {not self._cut}"]
        out += [f"{name} = 0.0" for name in self.sampled]
        for mesh in self._force.meshes:
            k = mesh.k
            out += [f"drive{k} = 0.0", f"coast{k} = 0.0"] if mesh.sides else []
            out += mesh.damper.frozen_names()
        out += [f"apart{k} = 0.0" for k in self.apart if f"apart{k}" not in self.sampled]
        for n, _ in enumerate(self._events):
            out += [f"e{n}_0 = 0.0", f"r{n}_0 = 0.0", f"e{n}_1 = 0.0", f"r{n}_1 = 0.0", f"e{n}_m = 0.0"]
        out += [f"{name} = 0.0" for name in CUBIC_NAMES] if self._events else []
        out += [f"a{i} = 0.0" for i in self._free]
        out += ["done = 0.0", "span = 1.0", "count = 0", "chosen = -1", "while done < 1.0:"]
        return out + indented([*self._tried(), *self._found(), *self._accepted()], 1)

    def _tried(self) -> list[str]:
        """From q and v over `span` with frozen sides to y and u."""
        free = self._free
        out = [f"{to}{i} = {start}{i}" for i in free for to, start in (("y", "q"), ("u", "v"))]
        out += [f"{name}{i} = 0.0" for i in free for name in ("dq", "dv")]
        out += ["for stage in range(5 if chosen < 0 else 4):"]
        stage = ["part = 0.0 if stage == 0 else 0.5 if stage < 3 else 1.0", "where = done + part*span"]
        stage += ["ahead = step_angle*(where - 0.5)", f"at = at0 + {self._width}"]
        stage += self._clock.stage_text("theta0 + step_angle*where")
        stage += self._force.stage_text(ahead="ahead", exact=True, frozen=True)
        if self._sample:
            begin = ["if stage == 0 and done == 0.0 and chosen < 0:", *indented(self._sample, 1)]
            stage += [*begin, *(f"    apart{k} = 0.0" for k in self.apart)]
        stage += ["fresh = natural", *self._watched()]
        stage += ["weight = 2.0 if stage == 1 or stage == 2 else 1.0", "ahead_h = (h if stage == 2 else h2)*span"]
        stage += ["if stage == 3:", *indented(self._ended(), 1), "elif stage < 3:", *indented(self._advanced(), 1)]
        return out + indented(stage, 1)

    def _watched(self) -> list[str]:
        """Values of the events at start, middle and end."""
        values = [f"e{n}_1 = {event.value}" for n, event in enumerate(self._events)]
        tempo = f"{self._clock.rate('h')}*span"
        values += [f"r{n}_1 = ({event.rate})*({tempo})" for n, event in enumerate(self._events) if event.rate]
        if not values:
            return []
        first = [f"{name}{n}_0 = {name}{n}_1" for n, _ in enumerate(self._events) for name in "er"]
        middle = [f"e{n}_m = e{n}_1" for n, event in enumerate(self._events) if not event.rate]
        out = [*values, "if stage == 0:", *indented(first, 1)]
        return out + (["if stage == 2:", *indented(middle, 1)] if middle else [])

    def _advanced(self) -> list[str]:
        out = []
        for i in self._free:
            u, a = self._clock.rate(f"u{i}"), self._clock.rate(f"a{i}")
            out += [
                f"dq{i} += weight*({u})",
                f"dv{i} += weight*({a})",
                f"y{i} = q{i} + ahead_h*({u})",
                f"u{i} = v{i} + ahead_h*({a})",
            ]
        return out

    def _ended(self) -> list[str]:
        out = []
        for i in self._free:
            u, a = self._clock.rate(f"u{i}"), self._clock.rate(f"a{i}")
            out += [f"y{i} = q{i} + h6*span*(dq{i} + {u})", f"u{i} = v{i} + h6*span*(dv{i} + {a})"]
        return out

    def _found(self) -> list[str]:
        """The first event, unless this try ends at one: `found`, and its time `soonest` as a fraction of the try."""
        out = ["found = -1"]
        if not self._events:
            return out
        inside = ["soonest = 2.0"]
        for n, event in enumerate(self._events):
            one = [f"sign = {event.sign}", f"left = max(sign*e{n}_0, 0.0)", f"right = sign*e{n}_1"]
            if event.rate:
                one += [f"rise = sign*r{n}_0", f"fall = sign*r{n}_1"]
            else:  # of the parabola through three values
                one += [
                    f"rise = sign*(4.0*e{n}_m - 3.0*e{n}_0 - e{n}_1)",
                    f"fall = sign*(e{n}_0 - 4.0*e{n}_m + 3.0*e{n}_1)",
                ]
            one += [*ESTIMATE, "if x < soonest:", "    soonest = x", f"    found = {n}", *indented(KEEP, 1)]
            inside += [f"if {event.active}:", *indented(one, 1)] if event.active else one
        inside += ["if found >= 0:", *indented(ROOT, 1)]
        return [*out, "if chosen < 0 and not natural:", *indented(inside, 1)]

    def _accepted(self) -> list[str]:
        """Shorten the step to the first event, or accept it and change the side of its event."""
        out = [f"if found >= 0 and count < {MOST}:", "    span = span*soonest", "    chosen = found", "    count += 1"]
        out += ["elif found >= 0:", "    natural = True", "    fresh = True", "    missed = 1.0", "else:"]
        accept = [f"{to}{i} = {end}{i}" for i in self._free for to, end in (("q", "y"), ("v", "u"))]
        accept += [f"apart{k} += span*(1.0 - max(drive{k}, coast{k}))" for k in self.apart]
        accept += ["if chosen < 0:", "    done = 1.0", "else:", "    done = done + span", "    span = 1.0 - done"]
        for n, event in enumerate(self._events):
            accept += [f"{'if' if n == 0 else 'elif'} chosen == {n}:", *indented(event.change, 1)]
        return [*out, *indented([*accept, "chosen = -1"], 1)]


def _events(mesh: MeshText) -> list[_SideEvent]:
    if not mesh.sides:
        return []
    k, out = mesh.k, []
    rate = mesh.approach_rate()
    renew = (f"renew{k} = True",) if mesh.damper.kinked else ()
    for side, distance, sign in (("drive", mesh.distances[0], ""), ("coast", mesh.distances[1], "-")):
        own = f"{sign}({rate})"
        if mesh.loaded:
            own += f" - {mesh.loaded.touch_rate(side[0])}"
        out.append(_SideEvent(distance, own, f"2.0*{side}{k} - 1.0", (f"{side}{k} = 1.0 - {side}{k}", *renew)))
    for value, now, change, active in mesh.damper.events():
        out.append(_SideEvent(value, "", now, (change,), active))
    return out
