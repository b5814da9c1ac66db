// Numbers and units as engineers write them: µm, kN, MPa; rpm and degrees where asked for.
// @ts-check

/** @type {Record<string, number>} */
const PREFIXES = { G: 1e9, M: 1e6, k: 1e3, "": 1, m: 1e-3, µ: 1e-6, n: 1e-9 };

/** Prefixes that are usual before a unit, largest first; a blank is none. @type {Record<string, string[]>} */
const USUAL = {
  m: ["", "m", "µ", "n"], s: ["", "m", "µ", "n"], rad: ["", "m", "µ"], Hz: ["M", "k", ""],
  N: ["M", "k", "", "m", "µ"], "N*m": ["M", "k", "", "m", "µ"], Pa: ["G", "M", "k", ""], W: ["M", "k", "", "m", "µ"], J: ["M", "k", "", "m", "µ"],
  "N/m": ["G", "M", "k", ""], "N*m/rad": ["G", "M", "k", ""], "m/s": ["", "m", "µ"], "N*s/m": ["M", "k", ""], V: ["k", "", "m"], A: ["k", "", "m"],
};

/** A unit as it is shown, and by what values of the file are multiplied. @typedef {{unit: string, factor: number}} Shown */

/** @param {string} unit of the file @param {number} largest absolute value that is shown @param {boolean} [degrees] degrees and rpm @returns {Shown} */
export function shownIn(unit, largest, degrees = false) {
  if (degrees && unit === "rad") return { unit: "°", factor: 180 / Math.PI };
  if (degrees && unit === "rad/s") return { unit: "rpm", factor: 30 / Math.PI };
  const usual = USUAL[unit];
  if (!usual || !(largest > 0) || !Number.isFinite(largest)) return { unit: written(unit), factor: 1 };
  const least = usual[usual.length - 1];
  // far below the least prefix, which is rounding as a rule, the unit itself says more: 2e−19 m
  const prefix = usual.find((p) => largest >= PREFIXES[p] * 0.9995) ?? (largest >= PREFIXES[least] * 1e-4 ? least : "");
  return { unit: prefix + written(unit), factor: 1 / PREFIXES[prefix] };
}

/** "N*m/rad^2" as N·m/rad². @param {string} unit */
export function written(unit) {
  if (unit === "1") return "";
  return unit.replaceAll("*", "·").replace(/\^(-?\d+)/g, (_, n) => [...n].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join(""));
}

/** A number with four figures. @param {number} value @param {number} [figures] */
export function figures(value, figures = 4) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "—" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(figures - 1) : value.toPrecision(figures);
  return sign(text.includes("e+") && !text.includes(".") ? String(Math.round(value)) : text);
}

/** With a true minus sign. @param {string} text */
export const sign = (text) => text.replace(/^-/, "−").replace("e-", "e−").replace("e+", "e");

/** A value with its unit. @param {number} value @param {string} unit @param {boolean} [degrees] */
export function quantity(value, unit, degrees = false) {
  const shown = shownIn(unit, Math.abs(value), degrees);
  return `${figures(value * shown.factor)}${shown.unit === "°" ? "" : shown.unit && " "}${shown.unit}`;
}

/** What the time of a record is: of an analysis of contact it is the phase of the mesh. @typedef {{label: string, unit: string}} TimeAxis */

/** @param {import("./data.js").Block} block @returns {TimeAxis} */
export const timeAxis = (block) => block.head.time_axis ?? { label: "time", unit: "s" };

/** Unit in which times of so long a span are shown. @param {number} length @param {TimeAxis} [axis] @returns {Shown} */
export function timeUnit(length, axis) {
  if (axis && axis.unit !== "s") return { unit: axis.unit, factor: 1 };
  return length >= 0.5 || !(length > 0) ? { unit: "s", factor: 1 } : length >= 5e-4 ? { unit: "ms", factor: 1e3 } : { unit: "µs", factor: 1e6 };
}

/** A time with digits that tell samples apart. @param {number} t @param {number} length of the span @param {TimeAxis} [axis] */
export function timeText(t, length, axis) {
  const { unit, factor } = timeUnit(length, axis);
  const whole = Math.max(Math.abs(length * factor), 1e-9);
  const digits = length > 0 ? Math.min(Math.max(5 - Math.ceil(Math.log10(whole)), 0), 9) : 3;
  return `${sign((t * factor).toFixed(digits))} ${unit}`;
}

/** A factor of speed: 0.01 ×. @param {number} rate */
export function rateText(rate) {
  return rate >= 1e-4 ? String(Number(rate.toPrecision(2))) : rate.toExponential(0).replace("e-", "e−");
}

/** Texts of an axis whose ticks lie a step apart, all with the same decimals. @param {number[]} ticks @param {number} step @param {number} [factor] */
export function tickTexts(ticks, step, factor = 1) {
  const s = step * factor;
  let digits = 0;
  while (digits < 10 && Math.abs(s * 10 ** digits - Math.round(s * 10 ** digits)) > 1e-6 * s * 10 ** digits) digits += 1;
  const big = Math.max(...ticks.map((t) => Math.abs(t * factor)));
  if (big >= 1e7 || (big > 0 && big < 1e-5)) return ticks.map((t) => (t === 0 ? "0" : sign(Number((t * factor).toPrecision(4)).toExponential())));
  return ticks.map((t) => sign((Math.abs(t * factor) < s * 1e-6 ? 0 : t * factor).toFixed(digits)));
}
