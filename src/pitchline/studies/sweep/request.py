"""SweepRequest: what a sweep computes at each point, checked before it starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from ...errors import ModelError, listed, near_names, shown
from ..sources import FileSource, FunctionSource, Source

__all__ = ["SweepRequest"]

LAST = ""
"""In place of the name of an analysis: the last one."""
_WITH_SIGNALS = ("statics", "kinematics", "dynamics")


@dataclass(frozen=True)
class SweepRequest:
    """What to compute at each point.

    figures : names of figures; None for all
    signals : name of an analysis ("" for the last one) -> names or patterns of its signals
    run : function of the model, for sources that are functions
    """

    figures: tuple[str, ...] | None = None
    signals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    run: Callable[[Any], Any] | None = None

    @staticmethod
    def of(
        figures: str | Iterable[str] | None,
        signals: str | Iterable[str] | Mapping[str, str | Iterable[str]] | None,
        run: Callable[[Any], Any] | None,
    ) -> SweepRequest:
        """From arguments of the user."""
        if run is not None and not callable(run):
            raise ModelError(f"sweep: run must be a function of the model, got {shown(run)}")
        by_analysis = signals if isinstance(signals, Mapping) else {LAST: signals}
        chosen = {str(name): _texts(given, "signals") for name, given in by_analysis.items() if given is not None}
        return SweepRequest(
            None if figures is None else _texts(figures, "figures"),
            {name: texts for name, texts in chosen.items() if texts},
            run,
        )

    def check(self, source: Source) -> None:
        """ModelError if the source does not have what is requested."""
        if isinstance(source, FunctionSource):
            return
        if self.run is not None:
            raise ModelError(
                "sweep: run is for models that a function builds. A model file specifies its own analyses: remove run"
            )
        if isinstance(source, FileSource):
            self._check_file(source)

    def _check_file(self, source: FileSource) -> None:
        file = source.file
        if not file.steps:
            raise ModelError(f"{source.called}: the file has no analyses to run. Add one to [[analyses]]")
        own = [step for step in file.steps if not step.is_study]
        known = [spec.key for spec in file.figures if spec.show]
        if not own and (self.figures is None or self.signals):
            raise ModelError(
                f"{source.called}: all analyses of the file are studies, which would run at every point. If this is intended, name "
                f'the figures, e.g. figures=["{known[-1] if known else "NAME"}"]'
            )
        for name in self.figures or ():
            if name not in known:
                raise ModelError(f'{source.called} has no figure "{name}"; {near_names(name, known)}')
        if not self.signals and not (known if self.figures is None else self.figures):
            raise ModelError(
                f"{source.called}: there is nothing to keep of a point. Add a [figures] table to the file, or choose signals, "
                'e.g. signals=["mesh.normal_force"]'
            )
        steps = {step.name: step for step in own}
        for analysis, names in self.signals.items():
            if analysis != LAST and analysis not in steps:
                raise ModelError(f'{source.called} has no analysis "{analysis}"; {near_names(analysis, steps)}')
            step = steps[analysis] if analysis != LAST else own[-1]
            _check_signals(source, step, names)

    def to_data(self) -> dict[str, Any]:
        """Plain data for a plan."""
        return {
            "figures": None if self.figures is None else list(self.figures),
            "signals": {name: list(texts) for name, texts in self.signals.items()},
            "run": None if self.run is None else FunctionSource(self.run).to_data(),
        }


def _check_signals(source: FileSource, step: Any, names: tuple[str, ...]) -> None:
    from ...system.signal_list import signals_of

    if step.kind not in _WITH_SIGNALS:
        with_signals = [one.name for one in source.file.steps if one.kind in _WITH_SIGNALS]
        way_out = f'e.g. signals={{"{with_signals[-1]}": [...]}}' if with_signals else "and has no other with signals"
        raise ModelError(
            f'{source.called}: the analysis "{step.name}" ({step.kind}) does not have signals. Choose another analysis, {way_out}'
        )
    specs = signals_of(source.file.model_of(step), energies=step.kind == "dynamics")
    for name in names:
        # a component, such as "wheel.position.z", has the name of its signal before the last point
        if name in specs or name.rpartition(".")[0] in specs or any(fnmatchcase(known, name) for known in specs):
            continue
        raise ModelError(
            f'{source.called}: the analysis "{step.name}" has no signal "{name}"; {near_names(name, specs)}'
        )


def _texts(given: Any, what: str) -> tuple[str, ...]:
    items = [given] if isinstance(given, str) else given
    if not isinstance(items, Iterable):
        raise ModelError(f"sweep: {what} must be names, got {shown(given)}")
    texts = tuple(items)
    wrong = [item for item in texts if not isinstance(item, str)]
    if wrong:
        raise ModelError(f"sweep: {what} must be names, got {shown(wrong[0])}")
    twice = [text for k, text in enumerate(texts) if text in texts[:k]]
    if twice:
        raise ModelError(f"sweep: {what}: {listed(twice)} is given twice")
    return texts
