"""Short descriptions of functions of time, from the model description."""

from __future__ import annotations

from typing import Any

from pitchline.views.report.numbers import counted, number, quantity


def function_words(said: Any, unit: str = "") -> str:
    """ "12.5 N·m", "ramp from 0 to 200 rad/s in 0.1 s", "table of 12 points" """
    if not isinstance(said, dict):
        return number(said) if said is not None else "–"
    kind = said.get("function", "")
    if kind == "constant":
        return quantity(said["value"], unit)
    if kind == "ramp":
        smooth = "smooth ramp" if said.get("smooth") else "ramp"
        first, last = number(said["start"]), quantity(said["end"], unit)
        begins = "" if said["t0"] == 0.0 else f" after {quantity(said['t0'], 's')}"
        return f"{smooth} from {first} to {last} in {quantity(said['t1'] - said['t0'], 's')}{begins}"
    if kind == "harmonic":
        mean = f"{quantity(said['offset'], unit)} ± " if said.get("offset") else "± "
        return f"{mean}{quantity(said['amplitude'], unit)} at {quantity(said['frequency'], 'Hz')}"
    if kind in ("fourier", "fourier line"):
        return f"Fourier series of {counted(len(said.get('cos', ())), 'harmonic')}, mean {quantity(said.get('mean', 0.0), unit)}"
    if kind == "table":
        return f"table of {counted(len(said.get('t', ())), 'point')}{', periodic' if said.get('periodic') else ''}"
    if kind == "polynomial":
        return f"polynomial of degree {len(said.get('coefficients', [0])) - 1}"
    if kind == "sum":
        return " + ".join(function_words(term, unit) for term in said.get("terms", ()))
    if kind == "callable":
        return "a Python function"
    return str(kind or said)
