"""The body of a gear, below its teeth: bore, hub, web and rim."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject
from .inputs import positive, size

__all__ = ["GearBody"]

_BODY = Subject("gear body")


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class GearBody:
    """Body of a gear below its teeth. Mass and finite elements use it. Lengths are in m, or strings with a unit.

    Parameters
    ----------
    bore
        Bore diameter of an external gear.
    rim_diameter
        Outer diameter of an internal gear.
    rim_thickness, web_thickness
        Gear with a web in the middle of the face: thickness of the rim below the root (for a conical gear where its root is
        closest to the axis), and of the web along the axis. Specify both, or none for a solid body.
    hub_diameter
        Outer diameter of the hub, which is as wide as the face. Without it the web extends to the bore.
    """

    bore: float
    rim_diameter: float | None
    rim_thickness: float | None
    web_thickness: float | None
    hub_diameter: float | None

    def __init__(
        self,
        *,
        bore: object = 0.0,
        rim_diameter: object = None,
        rim_thickness: object = None,
        web_thickness: object = None,
        hub_diameter: object = None,
    ) -> None:
        object.__setattr__(self, "bore", size(bore, "length", _BODY / "bore"))
        for name, value in (
            ("rim_diameter", rim_diameter),
            ("rim_thickness", rim_thickness),
            ("web_thickness", web_thickness),
            ("hub_diameter", hub_diameter),
        ):
            object.__setattr__(self, name, None if value is None else positive(value, "length", _BODY / name))
        if (self.rim_thickness is None) != (self.web_thickness is None):
            missing = "web_thickness" if self.web_thickness is None else "rim_thickness"
            raise ModelError(
                f"gear body: a web requires both rim_thickness and web_thickness. Specify {missing}",
                about=_BODY.at(missing),
            )
        if self.hub_diameter is not None and self.web_thickness is None:
            raise ModelError(
                "gear body: hub_diameter is for a wheel with a web. Specify rim_thickness and web_thickness, or leave it out",
                about=_BODY.at("hub_diameter"),
            )

    @property
    def has_web(self) -> bool:
        """Whether a web connects hub and rim."""
        return self.web_thickness is not None

    def with_(self, **changes: object) -> GearBody:
        """Return a copy with some arguments changed."""
        return GearBody(**{item.name: getattr(self, item.name) for item in fields(self)} | changes)
