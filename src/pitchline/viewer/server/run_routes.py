"""Change and run: the routes by which a page asks for parameters, runs the model with other values, stops and saves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import ModelError, PitchlineError
from ...files import FileError
from .answers import Answer, EventStream, Refusal, json_answer
from .question import Question
from .run_saving import save
from .runnable import Runnable
from .runs import Runs
from .served_records import ServedRecords

if TYPE_CHECKING:
    from .server import Server

__all__ = ["RunRoutes", "add_run_routes"]

LONGEST_VALUE = 500
"""Characters."""


def add_run_routes(server: Server, find: Callable[[], Runnable | str]) -> RunRoutes:
    """Allow the pages of a server to run a model.

    find: returns the model, or raises an error with the reason. It is called at the first request, since results are shown
    without a model.
    """
    routes = RunRoutes(find, server.records)
    server.add("GET", "/api/parameters", routes.parameters)
    server.add("POST", "/api/run", routes.run)
    server.add("GET", "/api/progress", routes.progress)
    server.add("POST", "/api/stop", routes.stop)
    server.add("POST", "/api/save", routes.save)
    server.at_close(routes.close)
    return routes


class RunRoutes:
    """Handlers. Nothing that is sent becomes part of a command line or of a path without being checked against a list or a form."""

    def __init__(self, find: Callable[[], Runnable | str], records: ServedRecords) -> None:
        self._find, self._records = find, records
        self._finding = threading.Lock()
        self._found: Runs | str | None = None

    def found(self) -> Runs | str:
        """The runs of the model, or why there is none."""
        with self._finding:
            if self._found is None:
                model = self._find()
                self._found = model if isinstance(model, str) else Runs(model, self._records)
            return self._found

    @property
    def runs(self) -> Runs:
        found = self.found()
        if isinstance(found, str):
            raise Refusal(409, found)
        return found

    def close(self) -> None:
        """End what runs."""
        if isinstance(self._found, Runs):
            self._found.close()

    def parameters(self, question: Question) -> Answer:
        """The form, and the runs so far; or why there are none."""
        question.only()
        found = self.found()
        if isinstance(found, str):
            return json_answer({"why": found})
        model = found.model
        return json_answer(
            {
                "model": model.name, "source": model.source, "folder": str(model.folder), "has_file": model.has_file,
                "analyses": list(model.analyses()), "parameters": [one.as_data() for one in model.declared()],
                "runs": [run.said() for run in found.all],
            }
        )  # fmt: skip

    def run(self, question: Question) -> Answer:
        """{"parameters": {"teeth": "21"}}: what differs from the form."""
        values = self._values(question.data)
        try:
            self.runs.model.check(values)
        except ModelError as error:
            return json_answer(
                {"error": "the model does not take these values", "problems": _problems(error, values)}, 422
            )
        return json_answer(self.runs.start(values).said())

    def progress(self, question: Question) -> EventStream:
        """How far the present run is, as events, until it ends."""
        question.only()
        return EventStream(self.runs.events())

    def stop(self, question: Question) -> Answer:
        """{}"""
        _only(question.data)
        return json_answer(self.runs.stop().said())

    def save(self, question: Question) -> Answer:
        """{"run": 1, "what": "model", "name": "gearbox 21"}; of a result "what" is "result", and "record" is its number."""
        data = question.data
        _only(data, "run", "what", "name", "record")
        run = self.runs[_whole(data, "run")]
        record = _whole(data, "record") if "record" in data else None
        what, name = data.get("what"), data.get("name")
        if not isinstance(name, str) or what not in ("model", "result"):
            raise Refusal(400, 'needed: "what", which is "model" or "result", and "name"')
        return json_answer({"saved": save(self.runs.model, run, what, name, record).name})

    def _values(self, data: Mapping[str, Any]) -> dict[str, str]:
        _only(data, "parameters")
        given = data.get("parameters")
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise Refusal(400, 'needed: "parameters", a table of names and texts')
        declared = {one.name for one in self.runs.model.declared()}
        for name, value in given.items():
            if name not in declared:
                raise Refusal(400, f'the model declares no parameter "{name:.100}"')
            if not value.strip() or len(value) > LONGEST_VALUE or not value.isprintable():
                raise Refusal(400, f'the value of "{name}" must be one line of at most {LONGEST_VALUE} characters')
        return {name: value.strip() for name, value in given.items()}


def _only(data: Mapping[str, Any], *allowed: str) -> None:
    if set(data) - set(allowed):
        raise Refusal(400, f"only these can be sent here: {', '.join(allowed) or 'nothing'}")


def _whole(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal(400, f"{key}: a whole number is needed")
    return value


def _problems(error: PitchlineError, values: Mapping[str, str]) -> list[dict[str, str]]:
    """What is wrong, each with the parameter that it is about where that is known."""
    if isinstance(error, FileError):
        found = []
        for problem in error.found:
            section, _, rest = problem.key.partition(".")
            name = rest.partition(".")[0] if section == "parameters" else ""
            words = (
                problem.message
                if name in values
                else f"{problem.key}: {problem.message}"
                if problem.key
                else problem.message
            )
            found.append({"parameter": name if name in values else "", "message": words})
        return found
    texts = error.problems if isinstance(error, ModelError) else [str(error)]
    return [
        {"parameter": next((name for name in values if f": {name} " in text), ""), "message": text} for text in texts
    ]
