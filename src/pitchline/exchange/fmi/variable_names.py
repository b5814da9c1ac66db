"""Names of variables in an FMU: structured names of FMI, `mesh.normal_force` or `wheel.position.x`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..limits import ExchangeError

__all__ = ["component_name", "fmi_name", "fmi_names", "identifier"]

TIME = "time"


def fmi_name(name: str) -> str:
    """Name with parts of letters, digits and underscores, separated by points. Other characters become underscores."""
    return ".".join(_part(part) for part in name.split("."))


def _part(part: str) -> str:
    made = re.sub(r"[^A-Za-z0-9_]", "_", part)
    return made if re.match(r"[A-Za-z_]", made) else f"_{made}"


def component_name(name: str, component: str) -> str:
    """Name of a component of a vector: `position.x`, or `pair_forces[1]` for numbered ones, which FMI counts from 1."""
    return f"{name}[{int(component) + 1}]" if component.isdigit() else f"{name}.{component}"


def fmi_names(groups: Iterable[tuple[str, Iterable[str]]]) -> dict[tuple[str, str], str]:
    """Names in the FMU by (kind, name). Two items with the same name in the FMU are refused.

    groups: kinds for messages ("input", ...), and their names
    """
    taken: dict[str, tuple[str, str]] = {TIME: ("variable", TIME)}
    found: dict[tuple[str, str], str] = {}
    for kind, names in groups:
        for name in names:
            made = fmi_name(name)
            if made in taken:
                other = taken[made]
                raise ExchangeError(
                    f'{kind} "{name}" and {other[0]} "{other[1]}" have the same name "{made}" in the FMU. Rename one of the '
                    "items in the model, or leave one out"
                )
            taken[made] = (kind, name)
            found[kind, name] = made
    return found


def identifier(name: str) -> str:
    """Name of the binaries of an FMU: an identifier of C, also valid as a file name."""
    made = re.sub(r"[^A-Za-z0-9_]", "_", name)[:60] or "model"
    return made if re.match(r"[A-Za-z_]", made) else f"_{made}"
