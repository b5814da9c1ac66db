"""``pitchline plot`` and ``pitchline report``: pictures and the report of a result."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pitchline.errors import PitchlineError

from .run import (
    FINE,
    Commands,
    add_allow,
    add_force,
    add_model,
    add_output,
    add_result,
    add_set,
    add_signals,
    add_span,
    command,
    number_or_text,
    read_from,
    say,
)

if TYPE_CHECKING:
    from pitchline.results.order_track import Spectrum
    from pitchline.results.result import Result
    from pitchline.results.signal import Signal
    from pitchline.studies.study_result import StudyResult

__all__ = ["add_plot", "add_report"]


_OF_STUDIES = {"kind": "kind", "axis": "over", "by": "by", "log": "log"}
"""Options of studies, and the arguments of the plot function."""

_EXAMPLES = """\
  pitchline plot out/press.nc guide.displacement billet.force     to press.png in the current folder
  pitchline plot out/press.nc "energy.*" -o energy.svg            a pattern in quotes; PNG, SVG or PDF
  pitchline plot out/press.nc frame.position.z --from 1s --to 1.2s
  pitchline plot out/kubo-a.nc mesh.normal_force --spectrum
  pitchline plot out/gearbox.nc --shaft-line input                deflections, moments and stresses along a shaft
  pitchline plot out/gearbox.nc --bearings                        loads of the rolling elements
  pitchline plot out/gearbox.nc --deformed                        shafts and gears in 3D, displacements magnified
  pitchline plot out/gearbox.nc --machine 20ms                    the machine at a time, solid and shaded
  pitchline plot out/stage.nc mesh.normal_force --measured bench.csv:force
  pitchline plot out/strips.nc mesh.contact_force --with out/nodes.nc       curves of two results over each other
  pitchline plot bench.csv torque                                 a measurement: CSV, WAV, MAT, HDF5, Parquet
  pitchline plot map.nc force.peak --axis speed                   a study (pitchline sweep): curves, maps, scatter

The command pitchline info RESULT lists the signals of a result.
"""


def add_plot(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "plot",
        "plot signals of a result",
        "Plot signals of a result over time, one panel per unit, or the spectrum of one signal; or its shafts and bearings.",
        _EXAMPLES,
        _plot,
    )
    add_result(parser)
    add_signals(parser, optional=True)
    add_output(
        parser, "FILE", "the picture, .png, .svg or .pdf (default: name of the result with .png, in the current folder)"
    )
    add_span(parser)
    parser.add_argument("--title", help='title (default: model and analysis; "" for no title)')
    parser.add_argument("--spectrum", action="store_true", help="plot the amplitude spectrum of one signal")
    parser.add_argument(
        "--shaft-line",
        metavar="NAME",
        help="plot deflections, moments and stresses along this shaft, at the last sample",
    )
    parser.add_argument(
        "--bearings",
        action="store_true",
        help="plot the loads of the rolling elements of all bearings, at the last sample",
    )
    parser.add_argument("--deformed", action="store_true", help="plot shafts and gears in 3D, displacements magnified")
    parser.add_argument(
        "--machine",
        metavar="TIME",
        nargs="?",
        const="",
        help="draw the machine at a time, solid and shaded (default: the last sample)",
    )
    parser.add_argument(
        "--kind",
        choices=("curves", "map", "scatter", "histogram", "sensitivity"),
        help="of a study: kind of the picture (default: the one that fits its dimensions)",
    )
    parser.add_argument("--axis", metavar="PARAMETER", help="of a study: parameter of the lower axis")
    parser.add_argument(
        "--by", metavar="PARAMETER", help="of a study: parameter of the curves, or of the vertical axis of a map"
    )
    parser.add_argument("--log", action="store_true", help="of a study: logarithmic scale of the values")
    parser.add_argument(
        "--measured",
        metavar="FILE[:CHANNEL]",
        action="append",
        default=[],
        help="plot a channel of a measurement in the same panel (default: channels with the names of the signals); may be "
        "repeated",
    )
    parser.add_argument(
        "--with",
        dest="beside",
        metavar="RESULT",
        type=Path,
        action="append",
        default=[],
        help="draw the same signals of another result in the same panels; may be repeated",
    )
    add_force(parser)


def _plot(given: argparse.Namespace) -> int:
    from pitchline import views  # noqa: F401  (results can then draw themselves)

    from .result_files import load_result, load_study
    from .run import chosen_file, write_atomically

    study = load_study(given.result)
    if study is not None:
        return _plot_study(study, given)
    asked = [f"--{name}" for name in _OF_STUDIES if getattr(given, name)]
    if asked:
        raise PitchlineError(f"{asked[0]} is for results of studies (pitchline sweep)")
    result = load_result(given.result)
    path = chosen_file(given.output, given.result.stem, ".png", force=given.force)
    start, end = number_or_text(given.start), number_or_text(given.end)
    options = {} if given.title is None else {"title": given.title}
    machine = _machine_picture(given)
    if given.measured and (machine is not None or given.spectrum):
        raise PitchlineError("--measured is for signals over time. Plot the spectrum of a measurement by itself")
    if given.beside and (machine is not None or given.spectrum):
        raise PitchlineError("--with is for signals over time. Leave it out, or draw each result by itself")
    if machine is not None:
        from pitchline.facades import plotter

        kind, arguments = machine
        write_atomically(
            path, lambda draft: plotter(kind)(result, *arguments, path=draft, **options), force=given.force
        )
    elif given.spectrum:
        drawn = _spectrum(result, given.signals, start, end)
        write_atomically(path, lambda draft: drawn.plot(path=draft, **options), force=given.force)
    else:
        others = {**_beside(given.result, given.beside), **_measured(result, given.measured, given.signals)}
        if given.beside:
            options["label"] = given.result.stem
        write_atomically(
            path,
            lambda draft: result.plot(*given.signals, path=draft, start=start, end=end, others=others, **options),
            force=given.force,
        )
    print(path)
    return FINE


def _beside(own: Path, paths: list[Path]) -> dict[str, Result | Signal]:
    """Other results by label: the name of the file, with its folder if that is the name of another one."""
    from .result_files import load_result

    found: dict[str, Result | Signal] = {}
    for path in paths:
        label = path.stem if path.stem not in (own.stem, *found) else str(path.with_suffix(""))
        found[label] = load_result(path)
    return found


def _measured(result: Result, texts: list[str], names: list[str]) -> dict[str, Signal]:
    """Channels of measurements by label."""
    from pitchline.exchange.measurements.reader import read_measurement

    found: dict[str, Signal] = {}
    for text in texts:
        path, channel = (text, "") if Path(text).exists() else text.rpartition(":")[::2]
        measured = read_measurement(path)
        wanted = [channel] if channel else [s.name for s in result.select(*names) if s.name in measured]
        if not wanted:
            raise PitchlineError(
                f"--measured {text}: no channel has the name of a signal. Specify one: {path}:CHANNEL; channels: "
                f"{', '.join(list(measured.signals)[:12])}"
            )
        for name in wanted:
            label = Path(path).stem if len(wanted) == 1 else f"{Path(path).stem} {name}"
            found[label if label not in found else f"{label} {name}"] = measured[name]
    return found


def _plot_study(study: StudyResult, given: argparse.Namespace) -> int:
    """Picture of the result of a study."""
    from .run import chosen_file, write_atomically

    flags = {"start": "from", "end": "to", "beside": "with"}
    others = [
        f"--{flags.get(name, name).replace('_', '-')}"
        for name in ("spectrum", "shaft_line", "bearings", "deformed", "machine", "start", "end", "beside")
        if getattr(given, name) not in (None, False, [])
    ]
    if others:
        raise PitchlineError(f"{others[0]} is not for results of studies")
    options = {to: getattr(given, name) for name, to in _OF_STUDIES.items() if getattr(given, name)}
    options |= {} if given.title is None else {"title": given.title}
    path = chosen_file(given.output, given.result.stem, ".png", force=given.force)
    write_atomically(path, lambda draft: study.plot(*given.signals, path=draft, **options), force=given.force)
    print(path)
    return FINE


def _machine_picture(given: argparse.Namespace) -> tuple[str, tuple[float | str | None, ...]] | None:
    """The requested picture of the machine, if any. It shows no signals."""
    asked = [
        picture
        for picture, wanted in {
            ("shaft", (given.shaft_line,)): given.shaft_line is not None,
            ("bearing", ()): given.bearings,
            ("deformed", ()): given.deformed,
            ("state", (number_or_text(given.machine or None),)): given.machine is not None,
        }.items()
        if wanted
    ]
    if len(asked) > 1 or (asked and (given.signals or given.spectrum)):
        raise PitchlineError(
            "--shaft-line, --bearings, --deformed and --machine are separate pictures. Specify one of them, and no signals"
        )
    if not asked and not given.signals:
        raise PitchlineError(
            'specify what to plot: signals (e.g. "mesh.*"), --shaft-line NAME, --bearings, --deformed or --machine'
        )
    return asked[0] if asked else None


def _spectrum(result: Result, names: list[str], start: float | str | None, end: float | str | None) -> Spectrum:
    """Spectrum with a window function, because a record seldom contains whole periods."""
    from pitchline.results.order_track import spectrum
    from pitchline.results.status import SignalError

    signals = result.select(*names)
    if len(signals) != 1 or signals[0].components:
        raise PitchlineError("--spectrum plots one signal. Specify one, with a component (e.g. .x) if it has several")
    signal = signals[0]
    if start is not None or end is not None:
        signal = signal.between(result.time[0] if start is None else start, result.time[-1] if end is None else end)
    try:
        return spectrum(signal, window="hann")
    except SignalError:
        if len(signal) < 2:
            raise
        return spectrum(signal.resampled(len(signal)), window="hann")


# ---- report

# ``pitchline report``: write one HTML file about a result or a run.

_EXAMPLES_report = """\
  pitchline report out/press.nc                    of a result, without a new run: press.html in the current folder
  pitchline report helical-pair -o pair.html       run a gallery model and write its report
  pitchline report gearbox.toml --set teeth=21     run a model file and write its report
"""


def add_report(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "report",
        "write a report as one HTML file",
        "Write one self-contained HTML file with the model, its figures, plots, warnings and solver settings.",
        _EXAMPLES_report,
        _report,
    )
    add_model(parser)
    add_output(parser, "FILE", "the report (default: name of the model or result with .html, in the current folder)")
    add_set(parser)
    add_allow(parser)
    parser.add_argument(
        "--no-scene", action="store_true", help="leave out the 3D view of the machine; the file is smaller"
    )
    add_force(parser)


def _report(given: argparse.Namespace) -> int:
    from .jobs import find_job, perform, report_to
    from .run import chosen_file

    path = Path(given.model).expanduser()
    if path.suffix.lower() == ".nc" and not given.set:
        target = chosen_file(given.output, path.stem, ".html", force=given.force)
        _of_result(path, target, given.allow, scene=not given.no_scene, force=given.force)
        print(target)
        return FINE
    job = find_job(given.model, given.set, given.allow)
    target = chosen_file(given.output, job.name, ".html", force=given.force)
    outcome = perform(job)
    if outcome.run:
        report_to(target, outcome, scene=not given.no_scene, force=given.force)
        print(target)
    if outcome.status != FINE:
        say(outcome.failure)
    return outcome.status


def _of_result(path: Path, target: Path, allow: list[str], *, scene: bool, force: bool) -> None:
    """Report without a new run, with the figures that need only the result."""
    from pitchline.results.result import Result
    from pitchline.views.report.page import write_report

    from .result_files import findings_of

    result = Result.load(path)
    figures, signals = findings_of(result, path.name, allow)
    name = str(result.source.get("analysis", "")) or result.kind
    with read_from(path):
        write_report(
            target, {name: result}, figures=figures, signals=signals, source=path, scene=scene, overwrite=force
        )
