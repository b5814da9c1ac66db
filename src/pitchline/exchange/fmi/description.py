"""Contents of modelDescription.xml of an FMU (FMI 2 and 3): variables, units and abilities. Nothing of the FMU is run."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pitchline.units.parser import BASE_UNITS, NONE, Exponents, UnitSyntax, parse_unit

from ..safe_xml import ExchangeError, XmlElement, parse_xml

__all__ = ["FmuUnit", "unit_by_name", "unit_of_definition", "FmuDescription", "FmuVariable", "read_description"]


# ---- fmu units

# Units of an FMU: from its unit definitions, or the name of the unit, to SI units of this package.

_BASE = ("m", "kg", "s", "K", "A", "rad")
"""Attributes of BaseUnit in the order of `Exponents`."""
_NO_PLACE = ("mol", "cd")
_POWER = re.compile(r"(?<=[A-Za-z])([+-]?\d+)")
"""Power in the notation of Modelica: kg.m2, s-1."""


@dataclass(frozen=True)
class FmuUnit:
    """Unit of a variable: SI value = factor * value + offset.

    name:   as in the FMU
    powers: powers of the base units
    """

    name: str
    factor: float
    offset: float
    powers: Exponents

    @property
    def si(self) -> str:
        """Unit of the SI value as text, e.g. "m^2*kg*s^-2"; empty for a number."""
        return si_text(self.powers)


def si_text(powers: Exponents) -> str:
    """Common name of an SI unit, or the product of base units."""
    for text in (
        "",
        "N*m",
        "rad/s",
        "rad",
        "N",
        "m",
        "m/s",
        "m/s^2",
        "rad/s^2",
        "W",
        "Pa",
        "A",
        "V",
        "K",
        "s",
        "kg",
        "kg*m^2",
    ):
        if parse_unit(text).powers == powers:
            return text
    return "*".join(f"{base}^{p}" if p != 1 else base for base, p in zip(BASE_UNITS, powers, strict=True) if p)


def unit_of_definition(element: XmlElement, where: str) -> FmuUnit | None:
    """Unit of an element Unit; None if neither a base unit is given nor the name is a unit of this package."""
    name = element.attributes.get("name", "")
    base = element.first("BaseUnit")
    if base is None:
        return unit_by_name(name)
    for key in _NO_PLACE:
        if _integer(base, key, where):
            return None
    powers = tuple(_integer(base, key, where) for key in _BASE)
    factor, offset = _number(base, "factor", 1.0, where), _number(base, "offset", 0.0, where)
    if factor == 0.0:
        raise ExchangeError(f'{where}, line {base.line}: unit "{name}": the factor of BaseUnit is 0')
    named = unit_by_name(name)
    if named is not None and named.powers[:-1] == powers[:-1] and powers[-1] == 0 != named.powers[-1]:
        return named  # Hz and 1/min are revolutions: base units have no place for that
    return FmuUnit(name, factor, offset, powers)  # type: ignore[arg-type]


def unit_by_name(name: str) -> FmuUnit | None:
    """Unit from its name in the notation of Modelica ("N.m", "rad/s", "kg.m2") or of this package; None if it is not understood."""
    if name in ("", "1"):
        return FmuUnit(name, 1.0, 0.0, NONE)
    if name in ("degC", "°C", "Celsius"):
        return FmuUnit(name, 1.0, 273.15, parse_unit("K").powers)
    for text in (name, _POWER.sub(r"^\1", name)):
        try:
            unit = parse_unit(text)
        except UnitSyntax:
            continue
        return FmuUnit(name, unit.factor, 0.0, unit.powers)
    return None


def _integer(element: XmlElement, key: str, where: str) -> int:
    text = element.attributes.get(key, "0")
    if not re.fullmatch(r"[+-]?\d{1,3}", text.strip()) or abs(int(text)) > 100:
        raise ExchangeError(f"{where}, line {element.line}: BaseUnit {key}: expected a whole number, got {text[:40]!r}")
    return int(text)


def _number(element: XmlElement, key: str, default: float, where: str) -> float:
    text = element.attributes.get(key)
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ExchangeError(f"{where}, line {element.line}: BaseUnit {key}: expected a number, got {text[:40]!r}")
    return value


INTEGERS = ("Integer", "Enumeration", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64")
"""Types with whole numbers."""
REALS = ("Real", "Float64", "Float32")
TYPES = (*REALS, *INTEGERS, "Boolean", "String", "Binary", "Clock")
MOST_VARIABLES = 1_000_000
_LIBRARY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,200}")


@dataclass(frozen=True)
class FmuVariable:
    """Variable of an FMU.

    kind:      its type: "Real", "Float64", "Integer", "Boolean", "String", ...
    causality: "input", "output", "parameter", "local", ...
    unit:      name of its unit; empty if it has none
    array:     whether it has dimensions
    """

    name: str
    reference: int
    kind: str
    causality: str
    variability: str
    unit: str
    start: str | None
    array: bool
    line: int

    @property
    def number(self) -> bool:
        """Whether its value is one number (also a truth value)."""
        return not self.array and (self.kind in REALS or self.kind in INTEGERS or self.kind == "Boolean")


@dataclass(frozen=True)
class FmuDescription:
    """What modelDescription.xml states.

    version:       "2.0", "3.0"
    token:         guid (FMI 2) or instantiationToken (FMI 3)
    library:       model identifier of the co-simulation
    variables:     by name
    units:         by name; None for a unit that is not understood
    interpolates:  takes derivatives of its inputs (FMI 2)
    variable_step: communication steps may differ from each other
    saves:         can save and restore its state
    serializes:    can write its state as bytes
    once:          can be instantiated only once in a process
    """

    version: str
    name: str
    token: str
    library: str
    variables: Mapping[str, FmuVariable]
    units: Mapping[str, FmuUnit | None]
    interpolates: bool
    variable_step: bool
    saves: bool
    serializes: bool
    once: bool

    @property
    def major(self) -> int:
        """2 or 3."""
        return int(self.version[0])

    def unit_of(self, variable: FmuVariable) -> FmuUnit | None:
        """Unit of a variable; None if it is not understood."""
        return self.units[variable.unit] if variable.unit in self.units else unit_by_name(variable.unit)


def read_description(data: bytes, name: str) -> FmuDescription:
    """Description from the bytes of modelDescription.xml; `name` is the file in messages."""
    where = f"{name}: modelDescription.xml"
    root = parse_xml(data, where)
    if root.tag != "fmiModelDescription":
        raise ExchangeError(f"{where}: the root element is {root.tag[:60]!r}, expected fmiModelDescription")
    version = root.attributes.get("fmiVersion", "")
    if not re.fullmatch(r"[23]\.[0-9A-Za-z.\-]{1,20}", version):
        stated = f"FMI {version[:20]}" if version else "no version of FMI"
        raise ExchangeError(f"{where}: {stated}. FMUs of FMI 2 and FMI 3 are supported")
    simulation = root.first("CoSimulation")
    if simulation is None:
        has = [tag for tag in ("ModelExchange", "ScheduledExecution") if root.first(tag) is not None]
        only = f"it contains only {' and '.join(has)}" if has else "it contains no interface"
        raise ExchangeError(
            f"{where}: not an FMU for co-simulation: {only}. Export the FMU as co-simulation (CoSimulation), so that it "
            "brings its own solver"
        )
    library = simulation.attributes.get("modelIdentifier", "")
    if not _LIBRARY.fullmatch(library):
        raise ExchangeError(f"{where}, line {simulation.line}: modelIdentifier {library[:60]!r} is not a name")
    token_key = "guid" if version.startswith("2") else "instantiationToken"
    if token_key not in root.attributes:
        raise ExchangeError(f"{where}: the attribute {token_key} is missing")
    able = simulation.attributes
    state = "canGetAndSetFMUstate" if version.startswith("2") else "canGetAndSetFMUState"
    bytes_of_state = "canSerializeFMUstate" if version.startswith("2") else "canSerializeFMUState"
    return FmuDescription(
        version,
        root.attributes.get("modelName", library),
        root.attributes[token_key],
        library,
        _variables(root, where),
        _units(root, where),
        interpolates=_true(able, "canInterpolateInputs"),
        variable_step=_true(able, "canHandleVariableCommunicationStepSize"),
        saves=_true(able, state),
        serializes=_true(able, state) and _true(able, bytes_of_state),
        once=_true(able, "canBeInstantiatedOnlyOncePerProcess"),
    )


def _true(attributes: Mapping[str, str], key: str) -> bool:
    return attributes.get(key, "false").strip() in ("true", "1")


def _units(root: XmlElement, where: str) -> dict[str, FmuUnit | None]:
    definitions = root.first("UnitDefinitions")
    if definitions is None:
        return {}
    return {unit.attributes.get("name", ""): unit_of_definition(unit, where) for unit in definitions.all("Unit")}


def _variables(root: XmlElement, where: str) -> dict[str, FmuVariable]:
    part = root.first("ModelVariables")
    if part is None:
        raise ExchangeError(f"{where}: ModelVariables is missing")
    if len(part.children) > MOST_VARIABLES:
        raise ExchangeError(f"{where}: {len(part.children)} variables, the limit is {MOST_VARIABLES}")
    types = _types(root)
    found: dict[str, FmuVariable] = {}
    for element in part.children:
        typed = element
        if element.tag == "ScalarVariable":  # FMI 2
            typed = next((child for child in element.children if child.tag in TYPES), element)
        if typed.tag not in TYPES:
            raise ExchangeError(f"{where}, line {element.line}: variable without a type, {element.tag[:40]!r}")
        name = element.attributes.get("name", "")
        if not name or name in found:
            problem = "a variable without a name" if not name else f'variable "{name[:80]}" exists already'
            raise ExchangeError(f"{where}, line {element.line}: {problem}")
        reference = element.attributes.get("valueReference", "")
        if not re.fullmatch(r"\d{1,10}", reference) or int(reference) > 2**32 - 1:
            raise ExchangeError(
                f'{where}, line {element.line}: variable "{name[:80]}": valueReference {reference[:40]!r} is not a number'
            )
        declared = types.get(typed.attributes.get("declaredType", ""), {})
        found[name] = FmuVariable(
            name,
            int(reference),
            typed.tag,
            element.attributes.get("causality", "local"),
            element.attributes.get("variability", "continuous" if typed.tag in REALS else "discrete"),
            typed.attributes.get("unit", declared.get("unit", "")),
            typed.attributes.get("start"),
            bool(element.all("Dimension")),
            element.line,
        )
    return found


def _types(root: XmlElement) -> dict[str, Mapping[str, str]]:
    """Attributes of the declared types by name. A unit may be stated there."""
    part = root.first("TypeDefinitions")
    found: dict[str, Mapping[str, str]] = {}
    for element in [] if part is None else part.children:
        inner = element.children[0] if element.tag == "SimpleType" and element.children else element
        found[element.attributes.get("name", "")] = inner.attributes
    return found
