"""Programs outside the engine (FMUs, Python functions) of a compiled system: start, stored states, end."""

from collections.abc import Mapping

import numpy as np

from pitchline.engine.compile.system import State, System
from pitchline.errors import ModelError, PitchlineError
from pitchline.model.model import Model
from pitchline.numerics.slow_laws import raise_stored

from .kernel import OutsideSession

__all__ = ["end_programs", "restore_programs", "start_programs", "stored_programs", "unsaved_programs"]


def sessions(system: System) -> list[tuple[int, OutsideSession]]:
    """Programs of a system, with the index of their elements."""
    return [(e, element.outside) for e, element in enumerate(system.elements) if element.outside is not None]


def start_programs(system: System, state: State, kept: Mapping[str, np.ndarray]) -> None:
    """Let the programs take part in a run. kept: states from which a run continues (`stored_programs`)."""
    raise_stored()  # of the outputs at rest
    for e, session in sessions(system):
        record = system.elements[e].kind.memory
        count = float(state.mem[system.mem0[e] : system.mem1[e]][: record.size].view(record.dtype)[0]["count"])
        session.active = True
        if count:
            stored = kept.get(f"{session.name}.program")
            if stored is None:
                program = system.model.elements[session.name].values["program"]
                reason = program.unsaved or "it could not be stored"
                raise ModelError(
                    f'start: the result does not contain the state of "{session.name}" at t = {state.t:g} s: {reason}. Run both '
                    "parts in one run, or start from the model"
                )
            session.restore(state.t, bytes_of(stored))


def restore_programs(system: System, t: float, stored: Mapping[str, np.ndarray]) -> None:
    """Continue the programs from a checkpoint."""
    for _, session in sessions(system):
        if f"{session.name}.program" not in stored:
            raise ModelError(f'the checkpoint does not contain the state of "{session.name}". Run the analysis again')
        session.restore(t, bytes_of(stored[f"{session.name}.program"]))


def stored_programs(system: System) -> dict[str, np.ndarray]:
    """States of the programs by "ELEMENT.program", as integers. Programs that cannot write their state are left out."""
    found = {}
    for _, session in sessions(system):
        if system.model.elements[session.name].values["program"].unsaved:
            continue
        try:
            state = session.state()
        except PitchlineError:
            continue
        if state is not None:
            found[f"{session.name}.program"] = integers_of(state)
    return found


def end_programs(system: System) -> None:
    """End the programs. Their outputs are in the samples."""
    for _, session in sessions(system):
        session.close()


def unsaved_programs(model: Model) -> list[str]:
    """Why states of programs cannot be stored, one text for each."""
    programs = [element.values.get("program") for element in model.elements.values()]
    return [text for text in (getattr(program, "unsaved", "") for program in programs) if text]


def integers_of(data: bytes) -> np.ndarray:
    """Bytes as integers of 8 bytes; the first is their number."""
    return np.concatenate([[len(data)], np.frombuffer(data + bytes(-len(data) % 8), np.int64)]).astype(np.int64)


def bytes_of(numbers: np.ndarray) -> bytes:
    """Bytes from `integers_of`."""
    data = np.ascontiguousarray(numbers, np.int64)
    if data.ndim != 1 or not data.size or not 0 <= data[0] <= 8 * (data.size - 1):
        raise ModelError("the stored state of a program is damaged")
    return data[1:].tobytes()[: int(data[0])]
