"""Text of STEP files (ISO 10303-21): what the CAD kernel does not check, or reads incorrectly.

Checked here: head and end of the file, references to other files, placements that mirror or scale, and the units of densities.
The kernel takes the mass unit of a density as gram, whatever the file states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

__all__ = ["FileDensity", "check_text", "densities", "placements_problem"]

_TEXT = rb"'(?:[^']++|'')*+'"
# possessive, so that a text without an end does not take exponential time
_BODY = rb"((?:[^';]++|" + _TEXT + rb")*+);"
_SIMPLE = re.compile(rb"#(\d{1,15})\s*+=\s*+([A-Z][A-Z_0-9]*+)\s*+\(" + _BODY)
_COMPLEX = re.compile(rb"#(\d{1,15})\s*+=\s*+\(" + _BODY)
_FIELD = re.compile(_TEXT + rb"|\(|\)|,|[^'(),\s]++")
_EXTERNAL = re.compile(rb"DOCUMENT_FILE\s*+\(\s*+'((?:[^']++|'')*+)'", re.IGNORECASE)
PREFIXES = {
    b"$": 0, b".EXA.": 18, b".PETA.": 15, b".TERA.": 12, b".GIGA.": 9, b".MEGA.": 6, b".KILO.": 3, b".HECTO.": 2, b".DECA.": 1,
    b".DECI.": -1, b".CENTI.": -2, b".MILLI.": -3, b".MICRO.": -6, b".NANO.": -9, b".PICO.": -12, b".FEMTO.": -15, b".ATTO.": -18,
}  # fmt: skip
"""Powers of ten."""
SCALED = 1e-9
"""Deviation from a rigid placement that is the rounding of a file."""


def check_text(data: bytes) -> str | None:
    """Problem of a text that is not a complete STEP file, or None."""
    start = data[:2000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        return "is compressed. Unpack it first"
    if not start.startswith(b"ISO-10303-21"):
        what = (
            "is a STEP file in XML. Export it"
            if b"10303" in start[:400] and b"<" in start[:10]
            else "is not a STEP file"
        )
        return f'{what}; a STEP file begins with the text "ISO-10303-21;"'
    if b"END-ISO-10303-21" not in data[-2000:]:
        return 'is cut off: the text "END-ISO-10303-21;" at its end is missing. Export it again'
    for name in _EXTERNAL.findall(data):
        if name.lower().endswith((b".stp", b".step", b".p21", b".stpx", b".stpz")):
            shown = name.decode("latin-1")[:80]
            return f'refers to another file, "{shown}". Export the assembly as one file'
    return None


def _fields(body: bytes) -> list[bytes | list]:
    """Parameters of an entity, up to its last bracket; lists are nested. ValueError if the brackets do not match."""
    body, bracket, rest = body.rpartition(b")")
    if not bracket or rest.strip():
        raise ValueError("brackets")
    stack: list[list] = [[]]
    for token in _FIELD.findall(body):
        if token == b"(":
            stack.append([])
        elif token == b")":
            if len(stack) < 2:
                raise ValueError("brackets")
            done = stack.pop()
            stack[-1].append(done)
        elif token != b",":
            stack[-1].append(token)
    if len(stack) != 1:
        raise ValueError("brackets")
    return stack[0]


def _entities(data: bytes, names: Iterable[bytes]) -> dict[bytes, dict[int, list]]:
    """Parameters of the entities with one of the names, by name and number. What cannot be parsed is left out."""
    wanted = frozenset(names)
    found: dict[bytes, dict[int, list]] = {name: {} for name in wanted}
    for match in _SIMPLE.finditer(data):
        if match.group(2) in wanted:
            try:
                found[match.group(2)][int(match.group(1))] = _fields(match.group(3))
            except ValueError:
                continue
    return found


def _at(field: object) -> int:
    """Number of the entity that a field refers to."""
    if not isinstance(field, bytes) or not field.startswith(b"#"):
        raise ValueError("not a reference")
    return int(field[1:])


# ---- placements


def placements_problem(data: bytes, kernel: int) -> str | None:
    """Problem of placements that the kernel (by its main version) reads incorrectly, or None.

    Rigid operators are read correctly. Mirrored ones with the scale -1, as the kernel writes them, are read by OCCT 8.
    """
    if b"CARTESIAN_TRANSFORMATION_OPERATOR_3D" not in data:
        return None
    types = (b"CARTESIAN_TRANSFORMATION_OPERATOR_3D", b"DIRECTION")
    found = _entities(data, types)
    for number, fields in found[types[0]].items():
        try:
            axes = [_direction(fields[i], found[types[1]]) for i in (3, 4, 7)]
            scale = 1.0 if fields[6] == b"$" else float(fields[6])
        except (ValueError, IndexError, KeyError, TypeError):
            return f"has a placement that cannot be read (#{number})"
        x, y, z = axes
        left = bool(x is not None and y is not None and z is not None and np.dot(np.cross(x, y), z) < 0.0)
        if scale == 1.0 and not left:
            continue
        if scale == -1.0 and not left and kernel >= 8:
            continue
        newer = " OCCT 8 or newer can read it." if scale == -1.0 and kernel < 8 else ""
        return (
            f"has a placement that mirrors or scales a part (#{number}), which the CAD kernel does not read reliably."
            f"{newer} Export the part as a part of its own, with its final geometry"
        )
    return None


def _direction(field: object, directions: Mapping[int, list]) -> np.ndarray | None:
    if field == b"$":
        return None
    return np.array([float(number) for number in directions[_at(field)][1]])


# ---- densities


@dataclass(frozen=True)
class FileDensity:
    """Material of a product in a STEP file.

    material: name, "" without one
    density:  [kg/m^3], None if the file has none
    problem:  why the density cannot be used, or ""
    assumed:  what was assumed about its unit, or ""
    """

    material: str = ""
    density: float | None = None
    problem: str = ""
    assumed: str = ""


def densities(data: bytes) -> dict[str, FileDensity]:
    """Materials and densities by the name of the product. A name with different densities has a problem."""
    if b"PROPERTY_DEFINITION_REPRESENTATION" not in data or b"density" not in data.lower():
        return {}
    names = (
        b"PROPERTY_DEFINITION", b"PROPERTY_DEFINITION_REPRESENTATION", b"REPRESENTATION", b"MEASURE_REPRESENTATION_ITEM",
        b"DESCRIPTIVE_REPRESENTATION_ITEM", b"DERIVED_UNIT", b"DERIVED_UNIT_ELEMENT", b"PRODUCT_DEFINITION",
        b"PRODUCT_DEFINITION_FORMATION", b"PRODUCT_DEFINITION_FORMATION_WITH_SPECIFIED_SOURCE", b"PRODUCT",
    )  # fmt: skip
    found = _entities(data, names)
    units = {int(match.group(1)): match.group(2) for match in _COMPLEX.finditer(data) if b"_UNIT" in match.group(2)}
    by_product: dict[str, FileDensity] = {}
    for fields in found[b"PROPERTY_DEFINITION_REPRESENTATION"].values():
        try:
            definition, representation = fields
            owner = found[b"PROPERTY_DEFINITION"][_at(definition)]
            kind = found[b"REPRESENTATION"][_at(representation)]
            product = _product(owner[2], found)
            title = b"".join(part for part in (owner[1], kind[0]) if isinstance(part, bytes)).lower()
            items = [_at(item) for item in kind[1]]
        except (ValueError, KeyError, IndexError, TypeError):
            continue
        known = by_product.get(product, FileDensity())
        if b"density" in title:
            new = _density(items, found, units)
            if known.density is not None and new.density != known.density:
                new = FileDensity(problem="the file states different densities for products of this name")
            by_product[product] = FileDensity(known.material, new.density, known.problem or new.problem, new.assumed)
        elif b"material" in title:
            texts = [found[b"DESCRIPTIVE_REPRESENTATION_ITEM"].get(item) for item in items]
            material = next((_text(words[0]) for words in texts if words), known.material)
            by_product[product] = FileDensity(material, known.density, known.problem, known.assumed)
    return by_product


def _text(field: object) -> str:
    """Text with the characters that ISO 10303-21 writes as codes."""
    if not isinstance(field, bytes):
        return ""
    raw = field[1:-1].replace(b"''", b"'")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    text = re.sub(r"\\X2\\((?:[0-9A-F]{4})+)\\X0\\", lambda m: _coded(m.group(1), "utf-16-be"), text)
    text = re.sub(r"\\X4\\((?:[0-9A-F]{8})+)\\X0\\", lambda m: _coded(m.group(1), "utf-32-be"), text)
    text = re.sub(r"\\X\\([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), text)
    return re.sub(r"\\S\\(.)", lambda m: chr(ord(m.group(1)) + 128), text).replace("\\\\", "\\")


def _coded(digits: str, encoding: str) -> str:
    return bytes.fromhex(digits).decode(encoding, "replace")


def _product(field: object, found: dict[bytes, dict[int, list]]) -> str:
    formation = _at(found[b"PRODUCT_DEFINITION"][_at(field)][2])
    plain, bought = b"PRODUCT_DEFINITION_FORMATION", b"PRODUCT_DEFINITION_FORMATION_WITH_SPECIFIED_SOURCE"
    fields = found[plain].get(formation) or found[bought][formation]
    product = found[b"PRODUCT"][_at(fields[2])]
    return _text(product[1]) or _text(product[0])


def _density(
    items: list[int],
    found: dict[bytes, dict[int, list]],
    units: Mapping[int, bytes],
) -> FileDensity:
    for item in items:
        fields = found[b"MEASURE_REPRESENTATION_ITEM"].get(item)
        if fields is None:
            continue
        try:
            value = float(fields[2][0]) if isinstance(fields[2], list) else float(fields[2])
            unit = fields[-1]
            if isinstance(unit, bytes) and not unit.startswith(b"#"):
                raise ValueError("no unit")
            factor, assumed = _density_unit(_at(unit), found, units)
        except (ValueError, KeyError, IndexError, TypeError):
            return FileDensity(problem="the unit of its density in the file is not understood")
        density = value * factor
        if not 1.0 <= density <= 25_000.0:
            return FileDensity(problem=f"its density in the file is {density:.4g} kg/m^3, which no solid has")
        return FileDensity(density=density, assumed=assumed)
    return FileDensity(problem="its density in the file is not a number with a unit")


def _density_unit(
    number: int,
    found: dict[bytes, dict[int, list]],
    units: Mapping[int, bytes],
) -> tuple[float, str]:
    """Factor to kg/m^3, and what was assumed."""
    powers: dict[str, tuple[int, float]] = {}
    for part in found[b"DERIVED_UNIT"][number][0]:
        unit, exponent = found[b"DERIVED_UNIT_ELEMENT"][_at(part)]
        text = units[_at(unit)]
        match = re.search(rb"SI_UNIT\s*\(\s*(\$|\.\w+\.)\s*,\s*\.(GRAM|METRE)\.\s*\)", text)
        if match is None:
            raise ValueError("unit")
        mass = match.group(2) == b"GRAM"
        powers["mass" if mass else "length"] = (PREFIXES[match.group(1)] - 3 * mass, float(exponent))
    kg, of_mass = powers["mass"]
    metre, of_length = powers["length"]
    if (of_mass, of_length) == (1.0, -3.0):
        return 10.0 ** (kg - 3 * metre), ""
    if (of_mass, of_length) == (3.0, 2.0):  # as OCCT writes g/cm^3
        return 10.0 ** (
            kg - 3 * metre
        ), "its density is taken as mass per volume. The file gives the unit with wrong exponents, as OCCT writes it"
    raise ValueError("exponents")
