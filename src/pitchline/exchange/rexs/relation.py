"""Relation between components of a REXS document."""

from __future__ import annotations

from dataclasses import dataclass, field

from .attribute import RexsUnknown

__all__ = ["RexsRef", "RexsRelation"]


@dataclass
class RexsRef:
    """Reference of a relation to a component.

    role: "assembly", "part", "gear_1", ...
    hint: type of the component, repeated by the writer; not used
    """

    id: int
    role: str
    hint: str | None = None
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)


@dataclass
class RexsRelation:
    """Relation: its type, its place in an order (from 1), and its references."""

    id: int
    type: str
    order: int | None = None
    refs: list[RexsRef] = field(default_factory=list)
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)

    def role(self, name: str) -> int | None:
        """Id of the component in a role."""
        return next((ref.id for ref in self.refs if ref.role == name), None)

    def roles(self, name: str) -> list[int]:
        """Ids of all components in a role."""
        return [ref.id for ref in self.refs if ref.role == name]
