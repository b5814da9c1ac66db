"""Elastic gears in motion on their flanks: the cost of runs, of modes and of strips, and explicit steps with a penalty beside it.

The gears of Do, Ziegler and Eberhard (18 and 37 teeth, m_n 2 mm, b 10 mm), who give 1,678 s for three impacts of the helical pair
with their modally reduced model and 71,128 s with finite elements. Gears come from the cache, or are made first. Times are those of
the loop over steps, the best of several.

Explicit steps are those of `penalty_motion`: order 4, a penalty in place of local and residual compliance, at nine tenths of their
largest stable step, on the same machine with the same tables of contact. Errors are those of the first impact, against the default
with all modes to 200 kHz and a step of 0.1 µs: of its greatest force, of its duration, and of the speed of the pinion after it.
For the penalty they include how its contact differs, not only what its steps and modes leave out.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import pitchline as pl
from pitchline import gallery
from pitchline.parts.contact.penalty_motion import penalty_motion

PUBLISHED, PUBLISHED_FE = 1678.0, 71128.0  # s, three impacts of the helical pair
MODES = (40, 80, 160, 200)  # kHz
FACE_ELEMENTS = (2, 4, 8)
DURATION, STEP, OUTPUT = "0.5 ms", "2.5 us", "12.5 us"  # of impacts; of meshing
SPEED = 50.0  # rad/s, of the pinion
SHORT, SHORT_STEP = 1.5e-3, "1 us"  # of meshing where only the cost of a step is asked for; short enough for 200 kHz
Runner = Callable[[], pl.Result]


@dataclass(frozen=True)
class Impact:
    """The first impact of a run."""

    force: float  # N
    duration: float  # s
    speed: float  # rad/s, of the pinion after it

    @staticmethod
    def of(run: pl.Result) -> "Impact":
        begin, duration, force = _joined(_contacts(run))
        after = run.time > begin + duration + 5e-6
        return Impact(force, duration, float(run["in.angular_speed"].values[after][0]))

    def errors(self, other: "Impact") -> str:
        force, duration = self.force / other.force - 1.0, self.duration / other.duration - 1.0
        return f"{100 * force:>+9.1f} %{100 * duration:>+9.1f} %{100 * (self.speed / other.speed - 1.0):>+9.1f} %"


def bench(repeats: int) -> None:
    """All tables."""
    _whole_runs(repeats)
    _costs(repeats)
    _explicit(repeats)


def _whole_runs(repeats: int) -> None:
    print("\nElastic flanks in motion: whole runs")
    header = f"{'run':<44}{'steps':>8}{'loop':>11}{'a step':>10}{'published':>24}"
    print(f"{header}\n{'-' * len(header)}")
    for pair in ("spur", "helical"):
        run = _best(partial(_impact, _thrown(pair, 80)), repeats)
        said = f"{PUBLISHED:,.0f} s, FE {PUBLISHED_FE:,.0f} s" if pair == "helical" else ""
        _print_run(f"three impacts, {pair}, 1 µs", run, said)
    m = gallery.model("meshing-spur-100").build()
    turn = partial(_meshing, m, 2 * math.pi / SPEED)
    _print_run("one pinion revolution, spur, 100 N m, 2.5 µs", _best(turn, repeats))


def _costs(repeats: int) -> None:
    print("\nCost of a step under load, 1 µs, spur, 100 N m")
    header = f"{'modes below':<14}{'face elements':>14}{'modes A, B':>13}{'strips':>8}{'a step':>11}{'ratio':>9}"
    print(f"{header}\n{'-' * len(header)}")
    cases = [(kHz, None) for kHz in MODES] + [(80, n) for n in FACE_ELEMENTS]
    first = 0.0
    for kHz, elements in cases:
        m = _loaded(kHz, elements)
        run = _best(partial(_meshing, m, SHORT, SHORT_STEP), repeats)
        cost = run.statistics["wall_time"] / run.statistics["steps"]
        first = first or cost
        found = penalty_motion(m, duration="1 us", penalty=1e8, step="0.1 us").statistics
        strips = int(run["mesh.strips_in_contact"].values.max())
        print(
            f"{f'{kHz} kHz':<14}{elements or 'default':>14}{found['modes_a']:>8}, {found['modes_b']:<3}{strips:>8}"
            f"{1e6 * cost:>8.1f} µs{cost / first:>7.2f} ×",
            flush=True,
        )


def _explicit(repeats: int) -> None:
    for pair in ("spur", "helical"):
        fine = pl.dynamics(_thrown(pair, 200), duration="0.2 ms", step="0.1 us", output_step="0.5 us", rho=0.95)
        exact = Impact.of(fine)
        print(
            f"\nImpacts, {pair}, 0.5 ms: no penalty against explicit steps with one. First impact: {exact.force:.0f} N, "
            f"{1e6 * exact.duration:.1f} µs, then {exact.speed:.2f} rad/s"
        )
        header = (
            f"{'method':<34}{'step':>9}{'steps':>8}{'loop':>10}{'ratio':>9}{'force':>11}{'duration':>11}{'speed':>11}"
        )
        print(f"{header}\n{'-' * len(header)}")
        entrants: dict[str, Runner] = {"no penalty, 80 kHz": partial(_impact, _thrown(pair, 80))}
        entrants["no penalty, 200 kHz"] = partial(_impact, _thrown(pair, 200))
        for kHz in (80, 200, 320):
            for penalty in (1e8, 1e9):
                name = f"explicit, {penalty:.0e} N/m, {kHz} kHz"
                entrants[name] = partial(_penalty, _thrown(pair, kHz), penalty)
        runs: dict[str, list[pl.Result]] = {name: [] for name in entrants}
        for _ in range(repeats):
            for name, runner in entrants.items():
                runs[name].append(runner())
        first = 0.0
        for name, done in runs.items():
            best = min(done, key=_wall)
            first = first or _wall(best)
            step = float(best.time[-1]) / best.statistics["steps"]
            print(
                f"{name:<34}{1e6 * step:>6.2f} µs{best.statistics['steps']:>8}{1e3 * _wall(best):>7.1f} ms"
                f"{_wall(best) / first:>7.1f} ×{Impact.of(best).errors(exact)}",
                flush=True,
            )


def _contacts(run: pl.Result) -> list[list[float]]:
    """Start [s], duration [s] and greatest force [N] of each time the teeth touched and parted again."""
    force, time = run["mesh.contact_force"].values, run.time
    touching = np.concatenate([[False], force > 0.0, [False]])
    begins, ends = np.flatnonzero(touching[1:] & ~touching[:-1]), np.flatnonzero(touching[:-1] & ~touching[1:])
    whole = [(b, e) for b, e in zip(begins, ends, strict=True) if e < len(time)]  # else still in contact at the end
    return [[float(time[b]), float(time[e] - time[b]), float(force[b:e].max())] for b, e in whole]


def _joined(found: list[list[float]]) -> tuple[float, float, float]:
    """The first impact, with the bounces within it (parted for less than 10 µs)."""
    begin, duration, force = found[0]
    for start, more, peak in found[1:]:
        if start - (begin + duration) < 10e-6:
            duration, force = start + more - begin, max(force, peak)
    return begin, duration, force


def _thrown(pair: str, kHz: int) -> pl.Model:
    return gallery.model(f"impact-{pair}", modes=f"{kHz} kHz").build()


def _loaded(kHz: int, face_elements: int | None) -> pl.Model:
    """meshing-spur-100, the brake put on sooner."""
    text = gallery.model("meshing-spur-100").copy()[0]
    if face_elements is not None:
        options = (
            f"elements_a = {{ face_elements = {face_elements} }}, elements_b = {{ face_elements = {face_elements} }}"
        )
        text = text.replace('mesh = { kind = "flank", ', f'mesh = {{ kind = "flank", {options}, ')
    return pl.files.read(text, overrides={"modes": f"{kHz} kHz", "brake_time": "0.5 ms"}).model


def _impact(m: pl.Model) -> pl.Result:
    return pl.dynamics(m, duration=DURATION, step="1 us", output_step="1 us", rho=0.95)


def _penalty(m: pl.Model, penalty: float) -> pl.Result:
    return penalty_motion(m, duration=DURATION, penalty=penalty)


def _meshing(m: pl.Model, duration: float, step: str = STEP) -> pl.Result:
    return pl.dynamics(m, duration=duration, step=step, output_step="15 us" if step != STEP else OUTPUT, rho=0.95)


def _wall(run: pl.Result) -> float:
    return float(run.statistics["wall_time"])


def _best(runner: Runner, repeats: int) -> pl.Result:
    return min((runner() for _ in range(repeats)), key=_wall)


def _print_run(name: str, run: pl.Result, said: str = "") -> None:
    steps, wall = run.statistics["steps"], _wall(run)
    force = run["mesh.contact_force"].values
    assert np.isfinite(force).all() and force.max() > 0.0
    print(f"{name:<44}{steps:>8}{wall:>9.3f} s{1e6 * wall / steps:>7.1f} µs{said:>24}", flush=True)


if __name__ == "__main__":
    bench(3)
