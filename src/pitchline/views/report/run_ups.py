"""Order maps over rpm of analyses in which the speed changes."""

from __future__ import annotations

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results import OrderMap, Result, order_map
from pitchline.views.order_maps import plot_map, run_up_speed
from pitchline.views.report.html import Html, code, join, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.meshes import natural_frequencies
from pitchline.views.report.report_data import ReportData

#: A run-up: the speed changes by more than this fraction of the highest speed, in at least so many revolutions.
CHANGE, FEWEST_TURNS = 0.2, 5.0

#: Maps of one analysis, and multiples of the highest mesh order shown.
MOST_MAPS, MULTIPLES = 4, 3.5

#: Blocks in a record at least, revolutions in a block at most, and mesh cycles in a block at least.
_BLOCKS, _MOST_TURNS, _FEWEST_CYCLES = 16.0, 4.0, 3.0


def run_ups(data: ReportData, pictures: Pictures) -> Html:
    """Maps of the forces of gear pairs over the speed of the driven shaft."""
    if any(isinstance(found, OrderMap) for found in data.others.values()):
        return Html("")  # the report has the maps of the user
    parts = []
    for name, result in data.records.items():
        if result.kind == "statics" or result.samples < 3:
            continue
        joint = reference_joint(result, data.model_of(name))
        if joint is not None:
            parts.append(_maps(name, result, joint, data, pictures))
    return join(parts, "\n")


def reference_joint(result: Result, model: dict[str, object]) -> str | None:
    """The joint whose speed the maps show: the first driven or loaded one that runs up or down."""
    joints: list[str] = []
    for section in ("drives", "loads"):
        parts = model.get(section, {})
        joints += [part["joint_name"] for part in parts.values() if part.get("joint_name")]  # type: ignore[attr-defined]
    for joint in dict.fromkeys(joints):
        speed = result.signals.get(f"{joint}.angular_speed")
        if speed is None or f"{joint}.angle" not in result.signals:
            continue
        size = np.abs(speed.values)
        if np.all(np.isfinite(size)) and float(np.ptp(size)) > CHANGE * float(size.max(initial=0.0)):
            return joint
    return None


def mesh_orders(result: Result, angle: str) -> dict[str, float]:
    """Gear pair -> mesh cycles per revolution of a shaft, from the whole record."""
    turned = result.signals.get(angle)
    if turned is None:
        return {}
    turns = abs(float(turned.values[-1] - turned.values[0])) / (2.0 * np.pi)
    found = {}
    for name in result.names("*.phase"):
        cycles = abs(float(np.diff(np.unwrap(result[name].values, period=1.0)[[0, -1]])[0]))
        if turns > 0.1 and cycles > 0.5:
            found[name.removesuffix(".phase")] = cycles / turns
    return found


def named_orders(orders: dict[str, float], end: float) -> dict[str, float]:
    """Orders of meshes with their harmonics up to `end`."""
    marks = {f"{n} × {name}" if n > 1 else name: n * order for n in (1, 2, 3) for name, order in orders.items()}
    return {name: order for name, order in marks.items() if order <= end}


def _maps(name: str, result: Result, joint: str, data: ReportData, pictures: Pictures) -> Html:
    start, end_time = _window(result, joint)
    angle = result[f"{joint}.angle"].between(start, end_time)
    turns = abs(float(angle.values[-1] - angle.values[0])) / (2.0 * np.pi)
    if turns < FEWEST_TURNS:
        return Html("")
    orders = mesh_orders(result, f"{joint}.angle")
    pairs = [pair for pair in orders if f"{pair}.normal_force" in result.signals]
    parts = []
    for pair in _different(pairs, orders)[:MOST_MAPS]:
        try:
            block = min(_MOST_TURNS, max(turns / _BLOCKS, _FEWEST_CYCLES / orders[pair]))
            found = order_map(
                result[f"{pair}.normal_force"].between(start, end_time), angle, revolutions=block, overlap=0.9
            )
            if run_up_speed(found.speed) is None:
                continue
            end = min(float(found.order[-1]), MULTIPLES * orders[pair])
            figure = plot_map(
                found, end=end, orders=named_orders(orders, end), modes=natural_frequencies(data, result), title=""
            )
        except PitchlineError as error:
            parts.append(tag("p", "No order map of ", code(pair), f": {error}.", class_="where"))
            continue
        caption = (
            f"Amplitude of the normal force of {pair} by order of the speed of {joint}. Mesh orders are level lines, natural "
            "frequencies are hyperbolas."
        )
        parts.append(
            join([tag("h4", "Gear pair ", code(pair)), pictures.embed(figure, f"{name}: order map {pair}", caption)])
        )
    if not parts:
        return Html("")
    return join([tag("h3", code(name), f": {result.kind}" if name != result.kind else ""), *parts], "\n")


def _window(result: Result, joint: str) -> tuple[float, float]:
    """Times between which the speed goes from its lowest to its highest magnitude, or the other way round."""
    size = np.abs(result[f"{joint}.angular_speed"].values)
    low, high = float(size.min()), float(size.max())
    slow = np.flatnonzero(size <= low + 0.01 * (high - low))
    fast = np.flatnonzero(size >= high - 0.01 * (high - low))
    if slow[0] < fast[0]:
        first, last = slow[slow < fast[0]][-1], fast[0]
    else:
        first, last = fast[fast < slow[0]][-1], slow[0]
    return float(result.time[first]), float(result.time[last])


def _different(pairs: list[str], orders: dict[str, float]) -> list[str]:
    """One pair of each mesh order: planets of one stage have the same."""
    kept: list[str] = []
    for pair in pairs:
        if all(abs(orders[pair] - orders[other]) > 1e-3 * orders[pair] for other in kept):
            kept.append(pair)
    return kept
