"""Elements that are programs outside the engine (FMUs, Python functions), with any number of named inputs and outputs.

The names and units of the signals belong to the program. Therefore the class of such an element is made from them; elements with
the same signals share a class. The communication points are t_0 + k H, with the start of the run t_0. See
`kernel` for the order of the calls.
"""

import keyword
import linecache
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitchline.declare.field_declarations import description
from pitchline.errors import ModelError, shown
from pitchline.extend import Element, call_law, choice, derived, input_signal, memory, number, output_signal

from .kernel import ADDRESSES, OutsideSession
from .sampled import is_again, sample_index

__all__ = ["ProgramSignal", "made_again", "program_class", "signal_name"]

LINEAR_NOTE = (
    "the outputs of a program in the loop (an FMU or a Python function) are held constant in statics and linear analyses, at those "
    "of the start or the last ones: its feedback is left out there. Write the controller as a PID or TransferFunction for "
    "the modes of the closed loop"
)
_ACCEPT = """
def accept(s, m, x, w, ask):
    begins = m.count < 0.5
    k = 0.0 if begins else sample_index(ask.t - m.origin, s.step)
    again = is_again(ask.t, ask.h, m.taken)
    if begins or k != m.index or again:
{put}
        code = call_law(int(s.sample), s.handle, ask.t, s.step, m.count, 1.0 if again else 0.0)
        if code > 1.5:
            for i in range({outputs}):
                m.rest[i] = call_law(int(s.get), s.handle, 1.0, i)
        elif code > 0.5:
            for i in range({outputs}):
                m.left[i] = call_law(int(s.get), s.handle, 0.0, i)
                m.right[i] = call_law(int(s.get), s.handle, 1.0, i)
            if begins:
                m.origin = ask.t
            if begins or again or s.between == 0:
                ask.restart = 1
            if not again:
                m.count += 1.0
            m.index = k
            m.taken = ask.t
    if m.count > 0.5:
        following = m.origin + (m.index + 1.0) * s.step
        ask.stop = following if ask.stop <= ask.t else min(ask.stop, following)
"""
_RESPOND = """
def respond(s, m, x, w, ask, y, Y):
    f = 1.0
    if s.between == 1 and ask.damp > 0.0:
        f = min(max((ask.t - m.taken) / s.step, 0.0), 1.0)
    for i in range({outputs}):
        if m.count < 0.5:
            y[i] = m.rest[i]
        else:
            y[i] = m.left[i] + f * (m.right[i] - m.left[i])
"""


@dataclass(frozen=True)
class ProgramSignal:
    """Input or output of a program: name of the signal in the model, SI unit, meaning."""

    name: str
    unit: str
    text: str


def signal_name(text: str) -> str:
    """Name of a signal after the name of a variable: letters, digits and underscores, not a name of the language."""
    kept = "".join(c if c.isascii() and c.isalnum() else "_" for c in text).strip("_") or "value"
    kept = f"_{kept}"[1 if not kept[0].isdigit() else 0 :]
    return f"{kept}_" if keyword.iskeyword(kept) or kept in _RESERVED else kept


_classes: dict[Any, type[Element]] = {}


def program_class(
    kind: str, kinds: Mapping[str, Any], inputs: tuple[ProgramSignal, ...], outputs: tuple[ProgramSignal, ...]
) -> type[Element]:
    """Class of the elements with these signals.

    kind:  type in model files, "fmu" or "python"
    kinds: frozen dataclasses of programs by their kind
    """
    key = (kind, inputs, outputs)
    if key not in _classes:
        _classes[key] = _made(kind, kinds, inputs, outputs)
    return _classes[key]


def _made(
    kind: str, kinds: Mapping[str, Any], inputs: tuple[ProgramSignal, ...], outputs: tuple[ProgramSignal, ...]
) -> type[Element]:
    names = [one.name for one in (*inputs, *outputs)]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(
                f"two signals of the program have the name {shown(name)}. Specify other names for its outputs"
            )
    n_in, n_out = len(inputs), len(outputs)

    def derive(values: Any) -> dict[str, Any]:
        session = OutsideSession(
            values["program"], values["program"].element, n_in, n_out, linear=values["between"] == "linear"
        )
        return {**ADDRESSES, "handle": float(session.handle), "outside_session": session}

    def check(values: Any) -> None:
        if not values["step"] > 0.0:
            raise ModelError(f"step must be positive, got {values['step']:g} s", about="step")

    def warnings(values: Any) -> list[str]:
        names = getattr(values["program"], "unconnected", ())
        return [f'the input "{one}" of the program is not connected and keeps its start value' for one in names]

    def again(self: Any) -> Any:
        return made_again, (kind, inputs, outputs, self.name, dict(self.values))

    put = "\n".join(
        f"        call_law(int(s.put), s.handle, {float(i)!r}, x.{one.name}.value)" for i, one in enumerate(inputs)
    )
    sizes = {"put": put or "        pass", "outputs": n_out}
    content: dict[str, Any] = {
        "__module__": __name__,
        "__qualname__": kind.capitalize(),
        "__doc__": "Program in the loop: it reads signals at its communication points and computes outputs.",
        "__reduce__": again,
        "key": kind,
        "linear_note": LINEAR_NOTE,
        "program": description(kinds, "program"),
        "step": number("s", "communication step"),
        "between": choice(("hold", "linear"), "signals between communication points", "hold"),
        **{one.name: input_signal(one.unit, one.text) for one in inputs},
        **{name: derived(f"address of {name}") for name in ADDRESSES},
        "handle": derived("number of the program"),
        "count": memory("number of communication points"),
        "index": memory("number of the last communication point", start=-1.0),
        "taken": memory("time of the last communication point", start=-1e6),
        "origin": memory("time of the first communication point"),
        "left": memory("outputs at the last communication point", n_out + 10),
        "right": memory("outputs at the next communication point", n_out + 10),
        "rest": memory("outputs at rest", n_out + 10),
        **{one.name: output_signal(one.unit, one.text) for one in outputs},
        "derive": staticmethod(derive),
        "check": staticmethod(check),
        "warnings": staticmethod(warnings),
        "direct_inputs": staticmethod(lambda values: ()),
        "evaluate": _compiled_text("def evaluate(s, m, x, w, ask, r, J):\n    pass\n", "evaluate"),
        "accept": _compiled_text(_ACCEPT.format(**sizes), "accept"),
        "respond": _compiled_text(_RESPOND.format(**sizes), "respond"),
    }  # fmt: skip
    return type(kind.capitalize(), (Element,), content)


def made_again(kind: str, inputs: Any, outputs: Any, name: str, values: Mapping[str, Any]) -> Element:
    """Element from its parts, in another process."""
    program = values["program"]
    return program_class(kind, {kind: type(program)}, inputs, outputs)(name, **values)


def _compiled_text(text: str, name: str) -> Any:
    """Function of a source text. Its lines are kept for messages."""
    file = f"<program in the loop: {name} {hash(text):x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    known: dict[str, Any] = {
        "__name__": __name__, "call_law": call_law, "sample_index": sample_index, "is_again": is_again,
        "int": int, "range": range, "min": min, "max": max,
    }  # fmt: skip
    exec(compile(text, file, "exec"), known)
    return known[name]


_RESERVED = frozenset(
    ("program", "step", "between", "handle", "count", "index", "taken", "origin", "left", "right", "rest", *ADDRESSES)
) | frozenset(name for name in dir(Element) if not name.startswith("__")) | {"name", "values", "view", "lam", "n_rows"}  # fmt: skip
