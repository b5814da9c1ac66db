"""Names of the parts of a model made from names in a robot file: valid and unique in the model."""

from __future__ import annotations

from ...model.names import GROUND_NAME
from ..imported import ImportReport

__all__ = ["RobotPartNames"]


class RobotPartNames:
    """Gives each part a name that no other part has. Joints come first, because controllers refer to them."""

    def __init__(self, report: ImportReport) -> None:
        self.report = report
        self.taken = {GROUND_NAME}

    def new(self, wish: str, kind: str, *, silent: bool = False) -> str:
        """The name itself, or one that is similar, with a note."""
        name = "".join("_" if sign in "./" or not sign.isprintable() else sign for sign in wish).strip() or kind
        if name in self.taken:
            first, n = f"{name}_{kind}", 2
            name = first
            while name in self.taken:
                name, n = f"{first}_{n}", n + 1
        self.taken.add(name)
        if name != wish and not silent:
            self.report.add("assumed", f'{kind} "{wish[:80]}" has the name "{name}" in the model')
        return name
