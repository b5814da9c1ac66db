// Numbers with units, as they are read: three digits and a prefix.
// @ts-check

/** @type {[number, string][]} */
const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
/** Units that take prefixes. */
const TAKES = new Set(["N", "N*m", "m", "Pa", "N/m", "s", "W", "J"]);

/** Factor and unit in which values up to a largest one are told. @param {number} largest @param {string} unit @returns {{factor: number, unit: string}} */
export function scaledUnit(largest, unit) {
  const written = unit.replaceAll("*", "·").replaceAll("^2", "²");
  if (!TAKES.has(unit) || !(largest > 0) || !Number.isFinite(largest)) return { factor: 1, unit: written };
  if (unit === "Pa" && largest >= 1e5) return { factor: 1e-6, unit: "MPa" };
  if (unit === "N/m") return { factor: 1e-3, unit: "N/mm" };
  const [size, prefix] = PREFIXES.find(([size]) => largest >= 0.9995 * size) ?? PREFIXES[PREFIXES.length - 1];
  return { factor: 1 / size, unit: prefix + written };
}

/** A value with its unit. @param {number} value @param {string} unit */
export function told(value, unit) {
  if (!Number.isFinite(value)) return "not known";
  const scaled = scaledUnit(Math.abs(value), unit);
  return `${digits(value * scaled.factor)} ${scaled.unit}`.trim();
}

/** Three digits, or all of a whole number. @param {number} x */
export function digits(x) {
  if (x === 0) return "0";
  return Math.abs(x) >= 1000 ? String(Math.round(x)) : String(Number(x.toPrecision(3)));
}

/** The nearest of 1, 2, 5 times a power of ten below a positive value. @param {number} x */
export function roundBelow(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const first = x / power;
  return (first >= 5 ? 5 : first >= 2 ? 2 : 1) * power;
}
