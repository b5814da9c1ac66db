"""Text of complete kernels: steps, cuts where flanks touch or part, signals, and the loops over lanes.

Plain steps across a kink of the force, where a flank touches or parts, are of order two; with a damper that acts only in
contact the force jumps, and they are of order one. With cuts the sides of all flanks are frozen, so that the law is smooth. If
the end of the step contradicts a side, a cubic through approach and rate at both ends gives the time of the change. The step
goes to this time; the side changes, and the rest of the step follows. The cubic has an error of order four in time, which after
a jump is an error of this order in the state, and after a kink one of order eight.

Phases are computed from the middle of the step, with sine and cosine where the polynomials do not suffice. Therefore this text
also makes the steps of lanes whose phase has changed too much since the start of the cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..lane_train import LaneTrain
from .force_text import ForceText, MeshText
from .phase_text import FAR, NEAR, ClockText
from .small_text import CUBIC_NAMES, ESTIMATE, KEEP, MESH, ROOT, ROTOR, TURNED, LaneSignal, indented, product, total

__all__ = [
    "advance",
    "apart",
    "may_have_none",
    "mesh_signal",
    "SignalText",
    "CutText",
    "StepText",
    "KernelText",
    "LaneFrame",
    "VectorFrame",
    "width_for",
]


# ---- mesh signals

# Signals of a mesh after a stage, as in results of `pl.dynamics`: text.


def apart(text: MeshText) -> str:
    """1 if the teeth are not in contact, otherwise 0."""
    drive, coast = text.distances
    return f"1.0 if {drive} < 0.0 and {coast} < 0.0 else 0.0"


def advance(text: MeshText, of: str, *, rate: bool = False) -> str:
    """Approach u without errors, or its rate, from the variables `of` of the rotors."""
    origin = "" if rate else text.numbers.named(f"u{text.k}_0", text.mesh.origin)
    return total([*(product(lever, f"{of}{i}") for i, lever in text.levers.items()), origin], "0.0")


def may_have_none(text: MeshText) -> bool:
    """Whether a mesh has no backlash, in a lane at least. The text does not depend on the numbers of lanes."""
    backlash = text.numbers.of(text.mesh.backlash)
    return bool(np.ndim(backlash)) or bool(backlash <= 0.0)


def mesh_signal(text: MeshText, name: str) -> str:
    """A signal of a mesh, by its name."""
    k, length = text.k, repr(float(text.mesh.length))
    force = f"{1.0 / text.mesh.cos_alpha!r}*F{k}"
    u = advance(text, "y")
    if name == "signed_force":
        return force
    if name == "approach":
        return f"{length}*({u})"
    if name == "contact":
        by = f"F{k}" if not text.backlash and text.damper.by_force else f"g{k}"
        return f"(1.0 if {by} > 0.0 else 0.0) - (1.0 if {by} < 0.0 else 0.0)"
    drive = {"normal_force": force, "deflection": f"{length}*g{k}", "transmission_error": f"{length}*({u})"}[name]
    if not text.backlash:  # all samples refer to one flank, which the mean force determines after the run
        return drive
    coast = f"-{length}*({u} + {text.backlash})" if name == "transmission_error" else f"-{drive}"
    on_drive = f"g{k} > 0.0 or (g{k} == 0.0 and {u} + 0.5*{text.backlash} >= 0.0)"
    if may_have_none(text):
        on_drive = f"{text.backlash} <= 0.0 or {on_drive}"
    return f"({drive}) if {on_drive} else ({coast})"


# ---- signal text

# Signals of meshes and rotors, their sums over the recorded cycles, and Poincaré samples: text and layout of the
# rows.

_LOW, _HIGH = "1e300", "-1e300"


class SignalText:
    """Text of the signals of a run.

    signals : reduced; after the requested ones, those that are needed to determine the loaded flank of meshes without backlash.
    poincare : (kind, index) whose coordinate and rate are kept at the end of a cycle.
    losses : whether the time without contact is summed for each mesh with backlash.
    smooth : whether signals have no kinks, except in steps with `mark` 1, if `marked`. A peak is then the vertex of a parabola
    through three samples; otherwise it is the largest sample.
    """

    def __init__(
        self,
        force: ForceText,
        signals: Sequence[LaneSignal],
        poincare: Sequence[tuple[str, int]] = (),
        *,
        losses: bool = True,
        smooth: bool = True,
        marked: bool = False,
    ) -> None:
        self._force, self._poincare, self._smooth = force, tuple(poincare), smooth
        self.requested = len(signals)
        self.signals = (*signals, *_forces(force, signals))
        self.lost = [mesh.k for mesh in force.meshes if losses and not mesh.one_sided]
        self.orders = sorted({h for signal in self.signals for h in signal.orders})
        self._extremes = [n for n, signal in enumerate(self.signals) if signal.extremes]
        self.marked = marked and smooth and bool(self._extremes)
        self.sums = self._named()

    @property
    def samples(self) -> list[str]:
        """Variables of a sample."""
        values = [f"sig{n}" for n in range(len(self.signals))] + [f"apart{k}" for k in self.lost]
        return [*values, "mark"] if self.marked else values

    def _named(self) -> dict[str, str]:
        """Variables of the sums, and their values before the first sample."""
        out: dict[str, str] = {}
        for n, signal in enumerate(self.signals):
            out |= {f"low{n}_": _LOW, f"high{n}_": _HIGH} if signal.extremes else {}
            out |= {f"mean{n}_": "0.0"} if signal.mean else {}
            out |= {f"square{n}_": "0.0"} if signal.rms else {}
            out |= {f"{part}{n}_{h}": "0.0" for h in signal.orders for part in ("cos", "sin")}
            out |= {f"one{n}_": "0.0", f"two{n}_": "0.0"} if signal.extremes and self._smooth else {}
        out |= {f"lost{k}_": "0.0" for k in self.lost}
        # before the first two samples there is no parabola: as after a kink
        return out | ({"rough1_": "1.0", "rough2_": "1.0"} if self._extremes and self._smooth else {})

    def sample_text(self) -> list[str]:
        """Lines after the first stage of a step: values of the sample."""
        out = [f"sig{n} = {self._value(signal)}" for n, signal in enumerate(self.signals)]
        return out + [f"apart{k} = {apart(self._force.meshes[k])}" for k in self.lost]

    def sum_text(self) -> list[str]:
        """Lines that add a sample."""
        out = []
        for n, signal in enumerate(self.signals):
            out += self._peaks(n) if signal.extremes else []
            out += [f"mean{n}_ += sig{n}"] if signal.mean else []
            out += [f"square{n}_ += sig{n}*sig{n}"] if signal.rms else []
            for h in signal.orders:
                column = 2 * self.orders.index(h)
                out += [f"cos{n}_{h} += sig{n}*H[har + {column}]", f"sin{n}_{h} += sig{n}*H[har + {column + 1}]"]
        if self._extremes and self._smooth:
            out += ["rough2_ = rough1_", f"rough1_ = {'mark' if self.marked else '0.0'}"]
        return out + [f"lost{k}_ += apart{k}" for k in self.lost]

    def _peaks(self, n: int) -> list[str]:
        """Largest and smallest value: of the samples, and of the parabola through this one and the two before."""
        out = [f"low{n}_ = min(low{n}_, sig{n})", f"high{n}_ = max(high{n}_, sig{n})"]
        if not self._smooth:
            return out
        out += [f"rise = sig{n} - two{n}_", f"bend = sig{n} - 2.0*one{n}_ + two{n}_"]
        inside = "rough1_ + rough2_ == 0.0 and abs(rise) < abs(bend)"  # the vertex is within half a step of the middle sample
        out += [f"peak = one{n}_ - 0.125*rise*rise/bend"]
        out += [f"high{n}_ = max(high{n}_, peak if {inside} and bend < 0.0 else high{n}_)"]
        out += [f"low{n}_ = min(low{n}_, peak if {inside} and bend > 0.0 else low{n}_)"]
        return [*out, f"two{n}_ = one{n}_", f"one{n}_ = sig{n}"]

    def poincare_text(self) -> list[str]:
        """Texts of the coordinates at the end of a cycle, from q and v."""
        out = []
        for kind, index in self._poincare:
            if kind == ROTOR:
                free = index in self._force.free
                out += [f"q{index}", f"v{index}"] if free else ["0.0", "0.0"]
            else:
                mesh = self._force.meshes[index]
                cosine = repr(float(mesh.mesh.length))
                out += [f"{cosine}*({advance(mesh, 'q')})", f"{cosine}*({advance(mesh, 'v', rate=True)})"]
        return out

    def _value(self, signal: LaneSignal) -> str:
        if signal.kind == ROTOR:
            free = signal.index in self._force.free
            return f"{'y' if signal.name == 'angle' else 'u'}{signal.index}" if free else "0.0"
        return mesh_signal(self._force.meshes[signal.index], signal.name)


def _forces(force: ForceText, signals: Sequence[LaneSignal]) -> list[LaneSignal]:
    """Forces of meshes without backlash whose signals refer to the loaded flank."""
    out = []
    for mesh in force.meshes:
        needed = any(s.kind == MESH and s.index == mesh.k and s.name in TURNED for s in signals)
        if needed and may_have_none(mesh):
            out.append(LaneSignal(MESH, mesh.k, "signed_force", rms=False))
    return out


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


# ---- step text

# One step of the classical Runge-Kutta method of order four, from q and v: text with all stages written out.


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


# ---- kernel text

# KernelText: all parts of the text of a kernel for a train, before a frame puts them into loops.


class KernelText:
    """Parts of a kernel.

    state : variables of the state of a lane, in the order of the rows of S: q_i, then v_i.
    kept : sums and other results of a lane in the order of the rows of R, and their values at the start.
    again : whether some steps are made again, by `CutText`: those with `again` > 0.
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


# ---- lane frame

# Frame of a kernel with one lane after the other: for a thread of a GPU, and for a reference on a CPU.

_ARRAYS = "I: I1, A: A1, S: A2, O: A2, R: A2, D: A2, V: A2, U: A1, T: A1, H: A1, G: A1"


class LaneFrame:
    """Text of the function `run` with all its numbers in local variables.

    looped : stages of a step in a loop, which compiles faster. Otherwise they are written out, as for vectors.
    """

    def __init__(self, kernel: KernelText, *, looped: bool) -> None:
        self._kernel, self._looped = kernel, looped
        self._numbers = list(kernel.force.numbers.varying)
        self._kept = list(kernel.kept)

    def text(self) -> str:
        """Source of `run` for a range of lanes."""
        lines = [f"def run(first: I8, last: I8, {_ARRAYS}, Z: A1, N: I1):", "    for i in range(first, last):"]
        return "\n".join([*lines, *indented(self._lane(), 2), ""])

    def cuda_text(self) -> str:
        """Source of `run` for a GPU: each thread runs one lane."""
        lines = ["def run(I, A, S, O, R, D, V, U, T, H, G):", "    i = cuda.grid(1)", "    if i < S.shape[1]:"]
        return "\n".join([*lines, *indented(self._lane(), 2), ""])

    def _lane(self) -> list[str]:
        kernel = self._kernel
        state, signals = kernel.state, kernel.signals
        out = [*kernel.argument_text(), *kernel.uniform_text()]
        out += [f"{name} = V[{n}, i]" for n, name in enumerate(self._numbers)]
        out += [f"{name} = S[{n}, i]" for n, name in enumerate(state)]
        out += [f"{name} = R[{n}, i]" for n, name in enumerate(self._kept)]
        out += ["at1 = table_start", "for cycle in range(cycles):"]
        cycle = ["theta_c = cycle_angle*(first_cycle + cycle)", "if cycle == cycles - 1:"]
        cycle += indented([f"O[{n}, i] = {name}" for n, name in enumerate(state)], 1)
        cycle += [*kernel.cycle_text(), "for j in range(steps):"]
        cycle += indented(self._step(), 1)
        cycle += [f"at1 += {2 * kernel.table_width}*steps", "if at1 == table_end:", "    at1 = 0"]
        points = signals.poincare_text()
        if points:
            cycle += ["point = cycle - first_point", "if point >= 0:"]
            cycle += [f"    D[{len(points)}*point + {n}, i] = {value}" for n, value in enumerate(points)]
        out += indented(cycle, 1)
        out += [f"S[{n}, i] = {name}" for n, name in enumerate(state)]
        return out + [f"R[{n}, i] = {name}" for n, name in enumerate(self._kept)]

    def _step(self) -> list[str]:
        kernel = self._kernel
        out = [f"at0 = at1 + {2 * kernel.table_width}*j", "theta0 = theta_c + step_angle*j"]
        if kernel.again:
            out += [f"old_{name} = {name}" for name in kernel.state]
        out += kernel.step.looped_text() if self._looped else kernel.step.text()
        if kernel.again:
            again = [f"{name} = old_{name}" for name in kernel.state]
            out += ["if again > 0.0:", *indented([*again, *kernel.cut.text(), "missed_ += missed"], 1)]
        if kernel.signals.sums:
            out += [
                "if keep:",
                f"    har = {2 * len(kernel.signals.orders)}*j",
                *indented(kernel.signals.sum_text(), 1),
            ]
        return out


# ---- vector frame

# Frame of a kernel for vectors of a CPU: lanes in blocks, and in every step a straight loop over the lanes of a
# block.
#
# The compiler turns such a loop into vector instructions. A block has all its numbers in rows of `Z`, one number for
# each lane.

NARROW, WIDE = 16, 64
"""Lanes of a block. The compiler completely unrolls loops that are shorter than the narrow one, and then makes no vectors. Wide
ones are faster by 40 % for a planetary train of seven rotors. Still wider ones do not fit into the first cache."""


def width_for(lanes: int) -> int:
    """Lanes of a block for a number of lanes: few lanes do not fill wide blocks."""
    return WIDE if lanes > 2 * WIDE else NARROW


class VectorFrame:
    """Text of the function `run` for blocks of lanes.

    width : lanes of a block. rows : variables of a lane that are kept in Z, in this order.
    """

    def __init__(self, kernel: KernelText, width: int) -> None:
        self._kernel, self._width = kernel, width
        self._state = kernel.state
        self._numbers = list(kernel.force.numbers.varying)
        samples = kernel.signals.samples
        self._before = [f"old_{name}" for name in self._state] if kernel.again else []
        self.rows = [*self._state, *kernel.cycle_names, *kernel.kept, *self._numbers, *samples, *self._before]
        self.rows = list(dict.fromkeys(self.rows))

    def text(self) -> str:
        """Source."""
        kernel = self._kernel
        lines = self._cut() if kernel.again else []
        arrays = "I: I1, A: A1, S: A2, O: A2, R: A2, D: A2, V: A2, U: A1, T: A1, H: A1, G: A1, Z: A1, N: I1"
        lines += [f"def run(first: I8, last: I8, {arrays}):"]
        lines += indented([*kernel.argument_text(), *kernel.uniform_text()], 1)
        lines += indented([f"for i0 in range(first, last, {self._width}):"], 1)
        lines += indented(self._block(), 2)
        return "\n".join(lines) + "\n"

    def _block(self) -> list[str]:
        kernel = self._kernel
        out = self._lanes(
            [*self._from(self._state, "S"), *self._from(list(kernel.kept), "R"), *self._from(self._numbers, "V")],
        )
        out += ["at1 = table_start", "for cycle in range(cycles):"]
        out += indented(self._cycle(), 1)
        out += self._lanes([f"S[{n}, i0 + l] = {self._at(name)}" for n, name in enumerate(self._state)])
        return out + self._lanes([f"R[{n}, i0 + l] = {self._at(name)}" for n, name in enumerate(kernel.kept)])

    def _cycle(self) -> list[str]:
        kernel = self._kernel
        out = ["theta_c = cycle_angle*(first_cycle + cycle)", "if cycle == cycles - 1:"]
        out += indented(self._lanes([f"O[{n}, i0 + l] = {self._at(name)}" for n, name in enumerate(self._state)]), 1)
        begin = kernel.cycle_text()
        if begin:
            out += self._lanes(
                [
                    *self._take([*self._state, *self._numbers, *kernel.clock.lane_names]),
                    *begin,
                    *self._put(kernel.cycle_names),
                ]
            )
        out += ["for j in range(steps):"]
        step = [f"at0 = at1 + {2 * kernel.table_width}*j", "theta0 = theta_c + step_angle*j"]
        stepping = [*self._state, *kernel.cycle_names, *self._numbers]
        changed = [*self._state, *kernel.signals.samples]
        old = [f"{self._at(f'old_{name}')} = {name}" for name in self._state] if kernel.again else []
        step += ["some = 0"] if kernel.again else []
        step += self._lanes([*self._take(stepping), *old, *kernel.step.text(), *self._put(changed), *self._marked()])
        step += self._made_again() if kernel.again else []
        step += ["if keep:", *indented(self._sampled(), 1)]
        out += indented(step, 1)
        out += [f"at1 += {2 * kernel.table_width}*steps", "if at1 == table_end:", "    at1 = 0"]
        points = kernel.signals.poincare_text()
        if points:
            out += ["point = cycle - first_point", "if point >= 0:"]
            put = [f"D[{len(points)}*point + {n}, i0 + l] = {value}" for n, value in enumerate(points)]
            out += indented(self._lanes([*self._take([*self._state, *self._numbers]), *put]), 1)
        return out

    def _sampled(self) -> list[str]:
        signals = self._kernel.signals
        if not signals.sums:
            return ["pass"]
        out = [f"har = {2 * len(signals.orders)}*j"]
        return out + self._lanes(
            [*self._take([*signals.samples, *signals.sums]), *signals.sum_text(), *self._put(list(signals.sums))]
        )

    def _marked(self) -> list[str]:
        """Lanes whose step is made again."""
        return ["mark = 1 if again > 0.0 else 0", "N[l] = mark", "some = some | mark"] if self._kernel.again else []

    def _made_again(self) -> list[str]:
        call = ["if N[l] != 0:", "    cut(l, at0, theta0, A, U, T, G, Z)"]
        return ["if some != 0:", *indented(self._lanes(call), 1)]

    def _cut(self) -> list[str]:
        """The function that makes the step of one lane again."""
        kernel = self._kernel
        lines = ["@inner", "def cut(l: I8, at0: I8, theta0: F8, A: A1, U: A1, T: A1, G: A1, Z: A1):"]
        body = [*kernel.angle_text(), *kernel.uniform_text()]
        body += [f"{name} = {self._at(f'old_{name}')}" for name in self._state]
        body += [*self._take([*kernel.cycle_names, *self._numbers]), *kernel.cut.text(), *self._put(self._state)]
        body += self._put(list(dict.fromkeys([*kernel.cut.sampled, *(f"apart{k}" for k in kernel.cut.apart)])))
        return [*lines, *indented([*body, f"{self._at('missed_')} += missed"], 1), ""]

    def _lanes(self, lines: list[str]) -> list[str]:
        return [f"for l in range({self._width}):", *indented(lines, 1)] if lines else []

    def _from(self, names: list[str], array: str) -> list[str]:
        return [f"{self._at(name)} = {array}[{n}, i0 + l]" for n, name in enumerate(names)]

    def _at(self, name: str) -> str:
        return f"Z[{self._width * self.rows.index(name)} + l]"

    def _take(self, names: list[str]) -> list[str]:
        return [f"{name} = {self._at(name)}" for name in dict.fromkeys(names)]

    def _put(self, names: list[str]) -> list[str]:
        return [f"{self._at(name)} = {name}" for name in names]
