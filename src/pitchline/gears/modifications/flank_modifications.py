"""All modifications of the teeth of a gear: of both flanks, of one, of single teeth."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, near_names, shown
from .modification import Modification, SumOfModifications, as_modification

__all__ = ["FlankModifications", "as_flank_modifications"]

_SIDES = ("both", "left", "right")
_KEYS = (*_SIDES, "per_tooth")
Parts = tuple[Modification, ...]


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class FlankModifications:
    """Modifications of the flanks of a gear. They are immutable; objects with the same content are equal.

    Parameters
    ----------
    both, left, right
        Modifications of all teeth, on both flanks or on one: a `Modification` or a list of them. Those of `both` and of
        the side are added.
    per_tooth
        Modifications of single teeth, added to the others: ``{3: PitchDeviation("5 um")}`` for both flanks of tooth 3,
        ``{(3, "left"): ...}`` for one.

    Attributes
    ----------
    both, left, right : tuple of Modification
    per_tooth : tuple of ((tooth, side), tuple of Modification)
        Sorted by tooth; side is "both", "left" or "right".
    """

    both: Parts
    left: Parts
    right: Parts
    per_tooth: tuple[tuple[tuple[int, str], Parts], ...]

    def __init__(
        self,
        both: object = None,
        *,
        left: object = None,
        right: object = None,
        per_tooth: Mapping[object, object] | None = None,
        what: str = "modifications",
    ) -> None:
        what = Subject(what)
        for name, value in (("both", both), ("left", left), ("right", right)):
            object.__setattr__(self, name, _parts(value, what / name))
        object.__setattr__(self, "per_tooth", _read_per_tooth(per_tooth, what))

    def __bool__(self) -> bool:
        return any((self.both, self.left, self.right, self.per_tooth))

    def of_side(self, side: str) -> Modification:
        """Sum of the modifications of all teeth on the "left" or "right" flank."""
        return SumOfModifications((*self.both, *(self.left if side == "left" else self.right)))

    def of_teeth(self, side: str) -> dict[int, Modification]:
        """Modifications of single teeth on the "left" or "right" flank."""
        found: dict[int, Parts] = {}
        for (tooth, where), parts in self.per_tooth:
            if where in ("both", side):
                found[tooth] = (*found.get(tooth, ()), *parts)
        return {tooth: SumOfModifications(parts) for tooth, parts in found.items()}

    @property
    def last_tooth(self) -> int:
        """Largest number of a tooth with its own modifications; −1 if there is none."""
        return max((tooth for (tooth, _), _ in self.per_tooth), default=-1)


def as_flank_modifications(value: object, what: str) -> FlankModifications:
    """Convert None, one modification, a list of them, `FlankModifications` or a mapping of its arguments."""
    if isinstance(value, FlankModifications):
        return value
    if not isinstance(value, Mapping):
        return FlankModifications(value, what=what)
    for key in value:
        if key not in _KEYS:
            raise ModelError(f"{what}: there is no {shown(key)}; {near_names(str(key), _KEYS)}", about=what)
    return FlankModifications(**value, what=what)


def _parts(value: object, what: str) -> Parts:
    found = as_modification(value, what)
    parts = found.parts if isinstance(found, SumOfModifications) else (found,)
    for part in parts:
        try:
            hash(part)
        except TypeError:
            raise ModelError(
                f"{what}: a {type(part).__name__} cannot be hashed, but gears are compared by content. Make it a "
                "frozen dataclass",
                about=what,
            ) from None
    return parts


def _read_per_tooth(given: object, what: Subject) -> tuple[tuple[tuple[int, str], Parts], ...]:
    if given is None:
        return ()
    here = what / "per_tooth"
    if not isinstance(given, Mapping):
        raise ModelError(
            f"{here} must be modifications by tooth number, such as {{3: PitchDeviation('5 um')}}, got {shown(given)}",
            about=here,
        )
    found: dict[tuple[int, str], Parts] = {}
    for key, value in given.items():
        number, side = key if isinstance(key, tuple) and len(key) == 2 else (key, "both")
        try:
            if isinstance(number, bool):
                raise TypeError
            tooth = operator.index(number)
        except TypeError:
            raise ModelError(
                f'{here}: a key must be a tooth number or (number, "left"), got {shown(key)}', about=here
            ) from None
        if side not in _SIDES:
            raise ModelError(f'{here}, tooth {tooth}: a side must be "left" or "right", got {shown(side)}', about=here)
        if tooth < 0:
            raise ModelError(f"{here}, tooth {tooth}: teeth are counted from 0", about=here)
        parts = _parts(value, f"{here}, tooth {tooth}")
        if parts:
            found[tooth, str(side)] = (*found.get((tooth, str(side)), ()), *parts)
    return tuple(sorted(found.items(), key=lambda item: item[0]))
