"""Process with the model of one instance of an FMU: it answers the messages of the library in the importing program.

Each message has a head (mark, kind, status, size) and a content. Numbers are little-endian. `process/c/remote.c` is the other side.
"""

from __future__ import annotations

import dataclasses
import json
import os
import select
import struct
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pitchline.analyses.statics import statics
from pitchline.analyses.stepper import Stepper
from pitchline.analyses.stepper_state import read_inputs, with_inputs
from pitchline.errors import ModelError, PitchlineError
from pitchline.files.model_file import ModelFile
from pitchline.files.reader import read
from pitchline.results.result import Result
from pitchline.version import __version__

from .model_description import SETTINGS, FmuSettings, SettingsVariable

__all__ = ["ServedModel", "serve"]


# ---- served model

# Model inside an FMU that runs in Python: starts, steps and states of one instance.


class ServedModel:
    """Model of one instance.

    The functions take the values of all variables by their references, and the texts by the same references. The importing
    program checks references, types and phases.
    """

    def __init__(self, resources: Path) -> None:
        self._resources = resources
        self.settings = FmuSettings.of(json.loads((resources / SETTINGS).read_text(encoding="utf-8")))
        variables = self.settings.variables
        self._inputs = [v for v in variables if v.kind == "input"]
        self._parameters = [v for v in variables if v.kind == "parameter"]
        self._outputs = [
            (v.reference, self.settings.outputs.index(v.name), v.component) for v in variables if v.kind == "output"
        ]
        self.values = [0.0] * (1 + max((v.reference for v in variables), default=0))
        """Present values of outputs by reference; those of other variables are not used."""
        self._file: ModelFile | None = None
        self._overrides: dict[str, Any] = {}
        """Parameters with which the file was read."""
        self._stepper: Stepper | None = None
        self._begun: tuple[Any, ...] = ()
        """Start time, parameters and inputs of the start of the stepper, while it has not moved."""
        self._set: dict[str, float] = {}
        """Inputs of the stepper."""

    @property
    def time(self) -> float:
        """Present time [s]."""
        return self.settings.start_time if self._stepper is None else self._stepper.time

    def begin(self, start_time: float, values: Sequence[float], texts: Sequence[str]) -> None:
        """Start the motion with inputs and parameters."""
        parameters = self._changed(values, texts)
        inputs = self._input_values(values)
        start = (start_time, parameters, inputs)
        if self._stepper is None or self._begun != start:
            stepper = self._new(start_time, parameters, inputs)
            stepper.set(inputs)
            stepper.start()
            self._stepper, self._begun, self._set = stepper, start, inputs
        self._read()

    def warnings(self) -> list[str]:
        """Warnings about the model, its start, and the version of pitchline."""
        texts = []
        made_with = self.settings.made_with
        if made_with != __version__:
            texts.append(
                f"the FMU was made by pitchline {made_with} and runs with pitchline {__version__}: numbers may differ"
            )
        return texts + list(self._present().warnings)

    def step(self, length: float, values: Sequence[float]) -> None:
        """Continue by a communication step [s]."""
        self._take(values)
        self._begun = ()
        self._present().advance(length)
        self._read()

    def save(self, values: Sequence[float]) -> bytes:
        """State as bytes."""
        self._take(values)
        return self._present().save().to_bytes()

    def restore(self, start_time: float, values: Sequence[float], texts: Sequence[str], state: bytes) -> None:
        """Continue from a state, of this instance or of another."""
        parameters, inputs = self._changed(values, texts), self._input_values(values)
        stepper = self._new(start_time, parameters, inputs)
        stepper.restore(state)
        self._stepper, self._begun, self._set = stepper, (), inputs
        self._read()

    def _present(self) -> Stepper:
        if self._stepper is None:
            raise ModelError("the motion has not been started")
        return self._stepper

    def _take(self, values: Sequence[float]) -> None:
        """Set the inputs that changed."""
        inputs = self._input_values(values)
        if inputs != self._set:
            self._present().set({name: value for name, value in inputs.items() if value != self._set[name]})
            self._set = inputs

    def _read(self) -> None:
        outputs, values = self._present().output_list(), self.values
        for reference, k, component in self._outputs:
            values[reference] = outputs[k] if component is None else float(outputs[k][component])

    def _input_values(self, values: Sequence[float]) -> dict[str, float]:
        return {v.name: values[v.reference] for v in self._inputs}

    def _changed(self, values: Sequence[float], texts: Sequence[str]) -> dict[str, Any]:
        """Parameters that differ from those of the export, as in a model file."""
        changed: dict[str, Any] = {}
        for v in self._parameters:
            value: Any = texts[v.reference] if isinstance(v.start, str) else values[v.reference]
            if value != v.start:
                changed[v.name] = _as_in_file(v, value)
        return changed

    def _new(self, start_time: float, parameters: dict[str, Any], inputs: dict[str, float]) -> Stepper:
        s = self.settings
        if self._file is None or parameters != self._overrides:
            self._file = read(self._resources / s.model, overrides={**s.overrides, **parameters}, allow=s.allow)
            self._overrides = parameters
        file = self._file
        start = self._start(file, start_time, inputs)
        return Stepper(
            file.model, step=s.step, inputs=s.inputs, outputs=s.outputs, start=start, start_time=start_time, **s.options
        )

    def _start(self, file: ModelFile, start_time: float, inputs: dict[str, float]) -> Result | None:
        """Result from which the motion starts."""
        s = self.settings
        if not s.start:
            return None
        if s.start_is_file:
            return Result.load(self._resources / s.start)
        if any(step.name == s.start for step in file.steps):
            result = file.run(only=[s.start])[s.start]
            assert isinstance(result, Result)
            return result
        present = read_inputs(file.model, s.inputs, start_time)
        changed = [dataclasses.replace(item, start=inputs[name]) for name, item in present.items()]
        return statics(with_inputs(file.model, changed)[0])


def _as_in_file(variable: SettingsVariable, value: Any) -> Any:
    if variable.whole and float(value).is_integer():
        value = int(value)  # a number of teeth
    return f"{value!r} {variable.unit}" if variable.unit else value


MARK = b"plfmu 1\0"
PROTOCOL = 1
BEGIN, STEP, SAVE, RESTORE = 1, 2, 3, 4
HELLO, BEAT, LOG, VALUES, STATE, FAILURE = 100, 101, 102, 103, 104, 105
WARNING = 1
"""Status of a warning in FMI."""
BEAT_INTERVAL = 5.0
"""Time between two messages that the process still computes [s]."""
_HEAD = struct.Struct("<8sIIQ")
_KINDS = {"input": 1, "output": 2, "parameter": 3}
_TEXT = 4


def serve(resources: str) -> None:
    """Answer messages until the importing program closes the connection."""
    channel = Channel(*_own_files())
    try:
        model = ServedModel(Path(resources))
        content = hello(model)
    except Exception as error:  # the process cannot go on: its text is the reason
        channel.text(f"the model of the FMU cannot be read: {_reason(error)}")
        return
    channel.send(HELLO, content)
    channel.watch()
    answers = {BEGIN: _begin, STEP: _step, SAVE: _save, RESTORE: _restore}
    while (message := channel.receive()) is not None:
        kind, request = message
        channel.busy = True
        try:
            answers[kind](model, request, channel)
        except Exception as error:  # the importing program gets each error as a message
            channel.send(FAILURE, _reason(error).encode())
        finally:
            channel.busy = False


def hello(model: ServedModel) -> bytes:
    """Variables by reference: starts, kinds, names, texts."""
    settings: FmuSettings = model.settings
    count = len(model.values)
    kinds, starts, names, texts = [0] * count, [0.0] * count, ["time"] * count, [""] * count
    for v in settings.variables:
        names[v.reference] = v.name
        kinds[v.reference] = _TEXT if isinstance(v.start, str) else _KINDS[v.kind]
        if isinstance(v.start, str):
            texts[v.reference] = v.start
        elif v.start is not None:
            starts[v.reference] = float(v.start)
    head = struct.pack(f"<IId{count}d{count}i", PROTOCOL, count, settings.start_time, *starts, *kinds)
    return head + b"".join(text.encode() + b"\0" for text in (settings.token, *names, *texts))


class Channel:
    """Connection to the importing program."""

    def __init__(self, source: int, target: int) -> None:
        self._source, self._target = source, target
        self._lock = threading.Lock()
        self.busy = False

    def receive(self) -> tuple[int, bytes] | None:
        """Kind and content of the next message; None at the end."""
        head = self._bytes(_HEAD.size)
        if head is None:
            return None
        mark, kind, _, size = _HEAD.unpack(head)
        if mark != MARK or kind not in (BEGIN, STEP, SAVE, RESTORE):
            return None
        content = self._bytes(size)
        return None if content is None else (kind, content)

    def send(self, kind: int, content: bytes, status: int = 0) -> None:
        """Send one message."""
        self._write(_HEAD.pack(MARK, kind, status, len(content)) + content)

    def text(self, text: str) -> None:
        """Write a text in place of messages: the reason why the process does not start."""
        self._write(text.encode())

    def watch(self) -> None:
        """Report in intervals that the process computes, and end it with the importing program."""
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        wait = _ended if hasattr(select, "poll") else _pause
        while not wait(self._source, BEAT_INTERVAL):
            if self.busy:
                try:
                    self.send(BEAT, b"")
                except OSError:
                    break
        time.sleep(2.0)  # the process ends by itself, unless it computes
        os._exit(1)

    def _write(self, content: bytes) -> None:
        with self._lock:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(self._target, rest) :]

    def _bytes(self, size: int) -> bytes | None:
        parts: list[bytes] = []
        while size > 0:
            try:
                part = os.read(self._source, min(size, 1 << 20))
            except OSError:
                return None
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _begin(model: ServedModel, request: bytes, channel: Channel) -> None:
    count = len(model.values)
    is_last, start_time, *values = struct.unpack_from(f"<{count + 2}d", request)
    texts, _ = _texts(request, 8 * (count + 2), count)
    model.begin(start_time, values, texts)
    if is_last:
        for text in model.warnings():
            channel.send(LOG, text.encode(), WARNING)
    _values(model, channel)


def _step(model: ServedModel, request: bytes, channel: Channel) -> None:
    length, *values = struct.unpack(f"<{1 + len(model.values)}d", request)
    model.step(length, values)
    _values(model, channel)


def _save(model: ServedModel, request: bytes, channel: Channel) -> None:
    channel.send(STATE, model.save(struct.unpack(f"<{len(model.values)}d", request)))


def _restore(model: ServedModel, request: bytes, channel: Channel) -> None:
    count = len(model.values)
    start_time, *values = struct.unpack_from(f"<{1 + count}d", request)
    texts, place = _texts(request, 8 * (1 + count), count)
    model.restore(start_time, values, texts, request[place:])
    _values(model, channel)


def _values(model: ServedModel, channel: Channel) -> None:
    channel.send(VALUES, struct.pack(f"<{1 + len(model.values)}d", model.time, *model.values))


def _texts(request: bytes, place: int, count: int) -> tuple[Sequence[str], int]:
    """Texts of all variables from a place on, and the place behind them."""
    texts = []
    for _ in range(count):
        end = request.index(b"\0", place)
        texts.append(request[place:end].decode("utf-8", "replace"))
        place = end + 1
    return texts, place


def _reason(error: BaseException) -> str:
    text = str(error).strip()
    if isinstance(error, PitchlineError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _own_files() -> tuple[int, int]:
    """Numbers of the files of the connection. What the model prints goes to standard error."""
    source, target = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    try:
        os.dup2(2, 1)
    except OSError:  # the importing program has no standard error
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if sys.platform == "win32":
        import msvcrt

        for file in (source, target):
            msvcrt.setmode(file, os.O_BINARY)
    return source, target


def _ended(source: int, patience: float) -> bool:
    """Whether the importing program closes the connection within a time."""
    poll: Any = select.poll()
    poll.register(source, 0)
    return bool(poll.poll(1000.0 * patience))


def _pause(source: int, patience: float) -> bool:
    time.sleep(patience)
    return False
