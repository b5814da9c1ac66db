"""The web of a wheel: the circles between which its body is thinner than its face."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ModelError
from ..gears import Gear
from ..gears.inputs import in_mm, positive

__all__ = ["WebCircles", "web_circles"]


@dataclass(frozen=True)
class WebCircles:
    """Circles that bound a web: its ring is the one between the first and the second, or the bore."""

    circles: tuple[float, ...] = ()
    thickness: float | None = None


def web_circles(
    gear: Gear,
    width: float,
    inner: float,
    root: float,
    *,
    rim_thickness: object,
    web_thickness: object,
    hub_diameter: object,
) -> WebCircles:
    """The web of a gear of a face width; inner, root: radii of the bore, and of the root where it is closest to it [m].

    What is not given is that of the gear's body.
    """
    body = gear.body
    rim_thickness = body.rim_thickness if rim_thickness is None else rim_thickness
    web_thickness = body.web_thickness if web_thickness is None else web_thickness
    hub_diameter = body.hub_diameter if hub_diameter is None else hub_diameter
    given = {"rim_thickness": rim_thickness, "web_thickness": web_thickness, "hub_diameter": hub_diameter}
    if all(value is None for value in given.values()):
        return WebCircles()
    if gear.internal:
        named = next(name for name, value in given.items() if value is not None)
        raise ModelError(f"sector grid: {named} is for external gears. Specify rim_diameter")
    if rim_thickness is None or web_thickness is None:
        raise ModelError("sector grid: a web requires both rim_thickness and web_thickness. hub_diameter is optional")
    rim = positive(rim_thickness, "length", "sector grid: rim_thickness")
    web = positive(web_thickness, "length", "sector grid: web_thickness")
    if web >= width:
        raise ModelError(
            f"sector grid: web_thickness {in_mm(web)} must be less than the face width {in_mm(width)}; leave out "
            "rim_thickness and web_thickness for a solid body"
        )
    outer = root - rim
    hub = inner if hub_diameter is None else 0.5 * positive(hub_diameter, "length", "sector grid: hub_diameter")
    if hub < inner * (1.0 - 1e-12):
        raise ModelError(
            f"sector grid: hub_diameter {in_mm(2 * hub)} must not be smaller than the bore {in_mm(2 * inner)}"
        )
    if outer <= hub * (1.0 + 1e-9):
        raise ModelError(
            f"sector grid: rim_thickness {in_mm(rim)} leaves no web between the rim (inside diameter {in_mm(2 * outer)}) "
            f"and the hub or bore ({in_mm(2 * hub)}); reduce it, or leave the web out"
        )
    circles = [outer] if hub <= inner * (1.0 + 1e-9) else [outer, hub]
    return WebCircles(tuple(circles), web)
