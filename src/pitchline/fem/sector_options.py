"""Grid options of a sector, converted to numbers of elements and radii."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, shown
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import at_most_one, flag, in_mm, positive, whole
from pitchline.parts.gears.teeth.teeth import Teeth

from .sector_outline import SectionCounts, ToothOutline, graded, halved

__all__ = ["WebCircles", "web_circles", "Fineness", "SectorPlan", "Web", "plan_section", "plan_sector"]


# ---- sector web

# The web of a wheel: the circles between which its body is thinner than its face.


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


_FLANK_EDGE = 0.1
"""Edges along the involute, by the normal module."""
_SIZE = 0.5
"""Largest edges in a section, by the normal module."""
_FACE = {1: 1.25, 2: 2.5}
"""Edges along the face by the largest ones in a section, by order: displacements vary little along a tooth."""
_TWIST = 0.3
"""How far a helical layer turns, at most [rad]."""
_CROWN = 0.9
"""Depth of the layer of elements below root and arch, by the normal module."""
_FILLET_EDGE = 1.5
"""Edges along the fillet by those of the flank ..."""
_LAND_EDGE = 2.0
"""... and along the root."""
_FLANK_DEPTH = 2.5
"""Thickness of the elements below the flank by their edges along it."""
_GROWTH = 2.0
"""From one element to the next towards the inside, at most."""
_STEEPEST = 1000.0
"""The last step of a row by its first one, at most, whatever is asked for."""
_RING_GROWTH = 1.4
"""From the elements below the root to those of the body."""
_MOST = 2_000_000
"""Elements of a sector; more is a wrong unit."""
_LONGEST = 2.5
"""Rows of the body, at most, by the largest edges in a section: far below the teeth little happens ..."""
_ROWS = 6
"""... and never less than this part of the depth of the body."""


@dataclass(frozen=True)
class Web:
    """The ring of the body (by its number) that is missing in the first and last layers along the face."""

    ring: int
    layers: int


@dataclass(frozen=True, kw_only=True)
class SectorPlan:
    """All that is decided about a grid before a node is placed; lengths in m.

    crown_depth: of the first circle of the body below the root. radii: of the others, the last one is the bore. zeta:
    sections with nodes. mirrored: whether rows towards the tip, columns to the left and layers along the axis make a
    left-handed system, as on internal gears.
    """

    order: int
    mirrored: bool
    modified: bool
    counts: SectionCounts
    crown_depth: float
    radii: tuple[float, ...]
    across_growth: float
    crown_growth: float
    ring_growth: tuple[float, ...]
    zeta: FloatArray
    web: Web | None


@dataclass(frozen=True, kw_only=True)
class Fineness:
    """Options for the elements of a section; None: chosen from the module."""

    order: object
    flank_edge: object
    flank_depth: object
    size: object
    face_elements: object
    flank_elements: object
    fillet_elements: object
    root_elements: object
    across_elements: object
    body_elements: object

    def read_order(self) -> int:
        """1 or 2."""
        return whole(self.order, "sector grid: order", at_least=1, at_most=2)

    def largest(self, module: float) -> float:
        """The largest edges in a section [m]."""
        return _SIZE * module if self.size is None else positive(self.size, "length", "sector grid: size")


def plan_sector(
    teeth: Teeth,
    fineness: Fineness,
    *,
    bore: object,
    rim_diameter: object,
    rim_thickness: object,
    web_thickness: object,
    hub_diameter: object,
    modified: object,
) -> SectorPlan:
    """Read the options of `sector_grid`."""
    if not isinstance(teeth, Teeth):
        raise ModelError(f"sector grid: expected Teeth, got {shown(teeth)}")
    gear = teeth.gear
    width = gear.required_face_width("a grid of its teeth")
    ends = np.array([-0.5, 0.0, 0.5]) * width if teeth.left.conical else np.zeros(1)
    outline = ToothOutline.of(teeth, ends)
    inner = _inner_radius(teeth, outline, bore, rim_diameter)
    root = _root_radius(outline, gear.sense)
    web = web_circles(
        gear, width, inner, root, rim_thickness=rim_thickness, web_thickness=web_thickness, hub_diameter=hub_diameter
    )
    turn = max(abs(flank.involute.twist) for flank in (teeth.left, teeth.right))
    return plan_section(
        outline,
        fineness,
        module=gear.normal_module,
        half_tooth=0.25 * math.pi * gear.transverse_module,
        circles=(*web.circles, inner),
        width=width,
        longest_layer=_TWIST / (turn + 1e-300),
        web=web.thickness,
        modified=flag(modified, "sector grid: modified") and (teeth.left.modified or teeth.right.modified),
    )


def plan_section(
    outline: ToothOutline,
    fineness: Fineness,
    *,
    module: float,
    half_tooth: float,
    circles: tuple[float, ...],
    width: float,
    longest_layer: float = math.inf,
    web: float | None = None,
    modified: bool = False,
) -> SectorPlan:
    """Numbers of elements and how they grow.

    half_tooth: half the thickness of the tooth [m]. circles: radii of the body below the crown, the last one its end [m].
    width: of the face [m]. web: thickness of the ring between the first two circles [m].
    """
    q = fineness.read_order()
    at_most_one("sector grid", flank_edge=fineness.flank_edge, flank_elements=fineness.flank_elements)
    largest = fineness.largest(module)
    edge = _FLANK_EDGE * module
    if fineness.flank_edge is not None:
        edge = positive(fineness.flank_edge, "length", "sector grid: flank_edge")

    def count(name: str, wanted: float) -> int:
        value = getattr(fineness, name)
        if value is not None:
            return whole(value, f"sector grid: {name}", at_least=1, at_most=10_000)
        return max(math.ceil(wanted - 1e-6), 2)

    involute = max(float(side.involute_length.max()) for side in outline.sides)
    flank = count("flank_elements", involute / edge)
    edge = involute / flank
    fillet_length = max(float(side.fillet_length.max()) for side in outline.sides)
    fillet = count("fillet_elements", fillet_length / min(_FILLET_EDGE * edge, largest))
    root, land = _root(outline, edge, largest, fineness.root_elements)
    first = min(_FLANK_DEPTH * edge, largest)
    if fineness.flank_depth is not None:
        first = positive(fineness.flank_depth, "length", "sector grid: flank_depth")
    if fineness.across_elements is None:
        across = 2 * _steps(half_tooth, first, largest)
    else:
        across = whole(fineness.across_elements, "sector grid: across_elements", at_least=2, at_most=10_000)
        if across % 2:
            raise ModelError(f"sector grid: across_elements must be even, got {across}. Specify {across + 1}")

    below = _middle_root(outline)
    depth = min(_CROWN * module, 0.5 * abs(below - circles[0]))
    radii, rows = [below - outline.sense * depth], [_steps(depth, first, largest)]
    starts, row = [first], _last(depth, first, rows[0])
    longest = max(_LONGEST * largest, abs(below - circles[-1]) / _ROWS)
    for stop in circles:
        length = abs(radii[-1] - stop)
        starts.append(min(_RING_GROWTH * row, longest))
        rows.append(_steps(length, starts[-1], longest))
        row = _last(length, starts[-1], rows[-1])
        radii.append(stop)
    if fineness.body_elements is not None:
        least = len(rows)
        rows = _shared(
            whole(fineness.body_elements, "sector grid: body_elements", at_least=least, at_most=10_000), rows
        )
    lengths = np.abs(np.diff(radii))
    zeta, missing = _layers(width, web, q, fineness.face_elements, min(_FACE[q] * largest, longest_layer))
    counts = SectionCounts(
        flank=flank, fillet=fillet, root=root, land=land, across=across, crown=rows[0], rings=tuple(rows[1:])
    )
    elements = counts.quadrilaterals * ((len(zeta) - 1) // q)
    if elements > _MOST:
        raise ModelError(
            f"sector grid: a sector would have {elements:,} elements, more than {_MOST:,}. Specify a larger flank_edge, "
            "flank_depth or size (check their units), or fewer elements"
        )
    return SectorPlan(
        order=q,
        mirrored=outline.sense < 0.0,
        modified=modified,
        counts=counts,
        crown_depth=depth,
        radii=circles,
        across_growth=_growth(half_tooth, first, across // 2),
        crown_growth=_growth(depth, first, rows[0]),
        ring_growth=tuple(_growth(*each) for each in zip(lengths, starts[1:], rows[1:], strict=True)),
        zeta=zeta,
        web=None if web is None else Web(1, missing),
    )


def _root(outline: ToothOutline, edge: float, largest: float, given: object) -> tuple[int, int]:
    """Elements from the middle of the space to the split, and how many of them lie on the root."""
    land = min(float(side.land_length.min()) for side in outline.sides)
    whole_run = max(float(side.root_length.max()) for side in outline.sides)
    on_root = land / min(_LAND_EDGE * edge, largest)
    on_fillet = (whole_run - land) / min(_FILLET_EDGE * edge, largest)
    if given is not None:
        count = whole(given, "sector grid: root_elements", at_least=1, at_most=10_000)
        return count, min(round(count * on_root / (on_root + on_fillet)), count - 1)
    own = math.ceil(on_root - 0.3) if on_root > 0.0 else 0
    return max(own + max(math.ceil(on_fillet - 0.2), 1), 2), own


# ------------------------------------------------------------------------------------------------------------ the body


def _root_radius(outline: ToothOutline, sense: float) -> float:
    """Of the root [m] where it is closest to the bore (to the outside of an internal gear)."""
    radius = np.abs(outline.right.root_run(np.zeros(1)))
    return float(radius.min() if sense > 0.0 else radius.max())


def _middle_root(outline: ToothOutline) -> float:
    """Radius of the root in the middle of the face [m]."""
    radius = np.abs(outline.right.root_run(np.zeros(1)))[:, 0]
    return float(radius[len(radius) // 2])


def _inner_radius(teeth: Teeth, outline: ToothOutline, bore: object, rim_diameter: object) -> float:
    """Radius of the bore, or of the outside of an internal gear [m]."""
    gear = teeth.gear
    root = _root_radius(outline, gear.sense)
    if gear.internal:
        if bore is not None:
            raise ModelError("sector grid: an internal gear has no bore. Specify rim_diameter, its outer diameter")
        given = (
            gear.rim_diameter if rim_diameter is None else positive(rim_diameter, "length", "sector grid: rim_diameter")
        )
        if given is None:
            raise ModelError(
                "sector grid: the outer diameter of the internal gear is missing. Specify rim_diameter here or "
                "to the gear"
            )
    else:
        if rim_diameter is not None:
            raise ModelError(
                "sector grid: rim_diameter is for internal gears. Specify bore, and rim_thickness for a web"
            )
        given = gear.bore if bore is None else positive(bore, "length", "sector grid: bore")
        if not given:
            raise ModelError(
                "sector grid: the gear has no bore, but hexahedra cannot end at an axis. Specify bore, here or for the "
                f"gear: such as the diameter of its shaft, or a small one ({in_mm(0.2 * gear.root_diameter)})"
            )
    inner = 0.5 * given
    room = gear.sense * (root - inner)
    if room < 0.05 * gear.normal_module:
        word = "rim_diameter" if gear.internal else "bore"
        raise ModelError(
            f"sector grid: {word} {in_mm(given)} leaves less than a twentieth of the module below the root (diameter "
            f"{in_mm(2.0 * root)} where it is closest). Specify a {'larger' if gear.internal else 'smaller'} one"
        )
    return inner


# --------------------------------------------------------------------------------------------------------- graded rows


def _ratio(length: float, first: float, count: int) -> float:
    """Growth q from step to step of `count` steps that cover a length, first (1 + q + q² + …) = length; 1 at least."""
    if count == 1 or count * first >= length:
        return 1.0
    low, high = 0.0, math.log(_STEEPEST)
    for _ in range(50):
        middle = 0.5 * (low + high)
        exponents = np.minimum(middle * np.arange(count), 500.0)
        low, high = (middle, high) if first * float(np.exp(exponents).sum()) < length else (low, middle)
    return math.exp(low)


def _growth(length: float, first: float, count: int) -> float:
    """The last by the first step."""
    logarithm = (count - 1) * math.log(min(_ratio(length, first, count), _GROWTH))
    return math.exp(min(logarithm, math.log(_STEEPEST)))


def _last(length: float, first: float, count: int) -> float:
    """The last step [m]."""
    steps = np.diff(graded(count, _growth(length, first, count)))
    return float(length * steps[-1])


def _steps(length: float, first: float, largest: float) -> int:
    """How many steps cover a length, the first one about `first`, growing by `_GROWTH` at most, none over `largest`."""
    count = max(int(length / (1.15 * largest)), 1)
    while _ratio(length, first, count) > 1.3 * _GROWTH or _last(length, first, count) > 1.15 * largest:
        count += max(1, count // 50)
    return count


def _shared(wanted: int, rows: list[int]) -> list[int]:
    """Distribute the requested number of rows in the planned proportion, each at least one."""
    planned = np.array(rows, dtype=np.float64)
    shares = np.maximum(np.floor(planned * wanted / planned.sum()), 1.0).astype(int)
    while shares.sum() != wanted:
        lacking = planned * wanted / planned.sum() - shares
        at = int(np.argmax(lacking)) if shares.sum() < wanted else int(np.argmin(np.where(shares > 1, lacking, np.inf)))
        shares[at] += 1 if shares.sum() < wanted else -1
    return [int(n) for n in shares]


# ------------------------------------------------------------------------------------------------------------ the face


def _layers(
    width: float, web: float | None, order: int, face_elements: object, longest: float
) -> tuple[FloatArray, int]:
    """Sections with nodes, and how many layers of elements lie on either side of a web."""
    count = max(math.ceil(width / longest - 1e-6), 2)
    if face_elements is not None:
        count = whole(face_elements, "sector grid: face_elements", at_least=1 if web is None else 3, at_most=10_000)
    if web is None:
        return halved(np.linspace(-0.5 * width, 0.5 * width, count + 1), order), 0
    outside = min(max(round(0.5 * count * (1.0 - web / width)), 1), max((count - 1) // 2, 1))
    inside = max(count - 2 * outside, 1)
    left = np.linspace(-0.5 * width, -0.5 * web, outside + 1)
    middle = np.linspace(-0.5 * web, 0.5 * web, inside + 1)
    breaks = np.concatenate([left, middle[1:-1], -left[::-1]])
    return halved(breaks, order), outside
