"""Instance of an FMU in fmpy, with the same calls for FMI 2 and FMI 3."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import fmpy
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave

__all__ = ["Instance"]


class Instance:
    """Instance of an FMU in fmpy, for both versions."""

    def __init__(
        self, path: Path, folder: Path, *, start: float = 0.0, parameters: Mapping[str, float] | None = None
    ) -> None:
        self.about = fmpy.read_model_description(path)
        self.version = 2 if self.about.fmiVersion == "2.0" else 3
        self.messages: list[str] = []
        unzipped = folder / path.stem
        if not unzipped.exists():
            fmpy.extract(str(path), str(unzipped))
        kind: Any = FMU2Slave if self.version == 2 else FMU3Slave
        self.fmu: Any = kind(
            guid=self.about.guid if self.version == 2 else self.about.instantiationToken,
            unzipDirectory=str(unzipped), modelIdentifier=self.about.coSimulation.modelIdentifier, instanceName="one",
        )  # fmt: skip
        self.references = {v.name: v.valueReference for v in self.about.modelVariables}
        if self.version == 2:
            module = fmpy.fmi2
            self.callbacks = callbacks = module.fmi2CallbackFunctions()
            self.logger = callbacks.logger = module.fmi2CallbackLoggerTYPE(self._log2)
            callbacks.allocateMemory = module.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
            callbacks.freeMemory = module.fmi2CallbackFreeMemoryTYPE(fmpy.free)
            self.fmu.instantiate(callbacks=callbacks, loggingOn=True)
            self.fmu.setupExperiment(startTime=start)
        else:
            self.fmu.instantiate(logMessage=self._log3)
        for name, value in (parameters or {}).items():
            self.set(name, value)
        if self.version == 2:
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=start)
        self.fmu.exitInitializationMode()

    def _log2(self, environment: Any, name: bytes, status: int, category: bytes, message: bytes) -> None:
        self.messages.append(message.decode())

    def _log3(self, environment: Any, status: int, category: bytes, message: bytes) -> None:
        self.messages.append(message.decode())

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
        self.fmu.freeInstance()
