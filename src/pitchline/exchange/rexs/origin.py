"""Where the parts of an imported model come from: the document of the file, and the component of each part."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from ...arguments import names_wrong_arguments
from ...errors import ModelError
from ...model import Model
from ..imported import ImportReport
from .document import RexsDocument

__all__ = ["RexsOrigin", "keep_origin", "origin_of", "origins_of_copies", "rexs_origin"]


@dataclass
class RexsOrigin:
    """What a model was made from.

    Attributes
    ----------
    document : RexsDocument
        Contents of the file, complete and unchanged.
    report : ImportReport
        What was used, assumed, kept and ignored.
    parts : dict
        Component id of each part of the model, by the name of the part.
    case : tuple of (spectrum id, case id), or None
        Load case of the model; None: the values without a load case.
    """

    document: RexsDocument
    report: ImportReport
    parts: dict[str, int] = field(default_factory=dict)
    case: tuple[int, int] | None = None


_origins: WeakKeyDictionary[Model, RexsOrigin] = WeakKeyDictionary()


def keep_origin(model: Model, origin: RexsOrigin) -> None:
    """Keep the origin of a model as long as the model exists."""
    _origins[model] = origin


def origin_of(model: Model) -> RexsOrigin | None:
    """Origin of a model, or None if it was not made from a REXS file."""
    return _origins.get(model)


@names_wrong_arguments
def rexs_origin(model: Model) -> RexsOrigin:
    """Return the document, the report and the component ids of a model from `from_rexs`.

    Parameters
    ----------
    model
        Model that `from_rexs` has returned.
    """
    found = origin_of(model)
    if found is None:
        raise ModelError(f'model "{model.name}" was not made from a REXS file; use pl.from_rexs(path)')
    return found


def origins_of_copies(model: Model) -> tuple[Model, RexsOrigin] | None:
    """Imported model of which a model is a changed copy (`Model.replaced`): the one that shares most of its parts with it."""
    own = {id(part) for part in _parts(model)}
    best: tuple[Model, RexsOrigin] | None = None
    most = 0
    for other, origin in list(_origins.items()):
        shared = sum(id(part) in own for part in _parts(other))
        if shared > most:
            most, best = shared, (other, origin)
    return best


def _parts(model: Model) -> list[object]:
    sections = (model.bodies, model.joints, model.drives, model.loads, model.structures, model.elements, model.wheels)
    return [part for section in sections for part in section.values()]
