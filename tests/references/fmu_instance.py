"""Instance of an FMU in fmpy, with the same calls for FMI 2 and FMI 3."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import fmpy
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave

__all__ = ["Instance"]


_unused: dict[Path, Any] = {}
"""Instances that were closed, by the path of their FMU: the next one is a reset of it, because a start takes a second."""


class Instance:
    """Instance of an FMU in fmpy, for both versions."""

    def __init__(
        self, path: Path, folder: Path, *, start: float = 0.0, parameters: Mapping[str, float] | None = None
    ) -> None:
        self.about = fmpy.read_model_description(path)
        self.path, self.version = path, 2 if self.about.fmiVersion == "2.0" else 3
        self.references = {v.name: v.valueReference for v in self.about.modelVariables}
        if path in _unused:
            self.fmu, self.messages = _unused.pop(path)
            self.messages.clear()
            self.fmu.reset()
        else:
            self.fmu, self.messages = self._made(folder), []
            self._instantiate()
        for name, value in (parameters or {}).items():
            self.set(name, value)
        if self.version == 2:
            self.fmu.setupExperiment(startTime=start)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=start)
        self.fmu.exitInitializationMode()

    def _made(self, folder: Path) -> Any:
        unzipped = folder / self.path.stem
        if not unzipped.exists():
            fmpy.extract(str(self.path), str(unzipped))
        kind: Any = FMU2Slave if self.version == 2 else FMU3Slave
        return kind(
            guid=self.about.guid if self.version == 2 else self.about.instantiationToken,
            unzipDirectory=str(unzipped), modelIdentifier=self.about.coSimulation.modelIdentifier, instanceName="one",
        )  # fmt: skip

    def _instantiate(self) -> None:
        messages = self.messages
        if self.version == 3:
            self.fmu.instantiate(logMessage=lambda env, status, category, text: messages.append(text.decode()))
            return
        module = fmpy.fmi2
        callbacks = module.fmi2CallbackFunctions()
        callbacks.logger = module.fmi2CallbackLoggerTYPE(
            lambda env, name, status, category, text: messages.append(text.decode())
        )
        callbacks.allocateMemory = module.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
        callbacks.freeMemory = module.fmi2CallbackFreeMemoryTYPE(fmpy.free)
        self.fmu.callbacks_of_test = callbacks
        self.fmu.instantiate(callbacks=callbacks, loggingOn=True)

    def set(self, name: str, value: float) -> None:
        (self.fmu.setReal if self.version == 2 else self.fmu.setFloat64)([self.references[name]], [value])

    def get(self, *names: str) -> list[float]:
        references = [self.references[name] for name in names]
        return list((self.fmu.getReal if self.version == 2 else self.fmu.getFloat64)(references))

    def step(self, t: float, h: float) -> None:
        self.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def save(self) -> Any:
        return self.fmu.getFMUstate() if self.version == 2 else self.fmu.getFMUState()

    def restore(self, state: Any) -> None:
        self.fmu.setFMUstate(state) if self.version == 2 else self.fmu.setFMUState(state)

    def bytes_of(self, state: Any) -> Any:
        return self.fmu.serializeFMUstate(state) if self.version == 2 else self.fmu.serializeFMUState(state)

    def from_bytes(self, data: bytes) -> Any:
        return self.fmu.deSerializeFMUstate(data) if self.version == 2 else self.fmu.deserializeFMUState(data)

    def close(self) -> None:
        self.fmu.terminate()
        _unused[self.path] = self.fmu, self.messages
