// Rows of the list of signals: a tree by part, or what was found.
// @ts-check
import { curvesOf } from "../signal_names.js";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {import("../signal_names.js").CurveSaid} CurveSaid */
/** @typedef {{part: string, count: number, open: boolean, chosen: boolean, curve?: undefined} | {part: string, curve: CurveSaid}} Row */

/** @type {WeakMap<CurveSaid, string>} */
const texts = new WeakMap();

/** All that a curve is found by. @param {CurveSaid} curve */
function textOf(curve) {
  let text = texts.get(curve);
  if (text === undefined) texts.set(curve, (text = `${curve.name} ${curve.signal.description} ${curve.unit}`.toLowerCase()));
  return text;
}

/** Whether a curve meets all words, in any order; a word with * is a pattern for the whole name. @param {string} query @returns {(curve: CurveSaid) => boolean} */
export function matcher(query) {
  const tests = query.trim().toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    if (!word.includes("*")) return (/** @type {CurveSaid} */ curve) => textOf(curve).includes(word);
    const pattern = new RegExp(`^${word.replace(/[.+^${}()|[\]\\?]/g, "\\$&").replace(/\*+/g, ".*")}$`);
    return (/** @type {CurveSaid} */ curve) => pattern.test(curve.name.toLowerCase());
  });
  return (curve) => tests.every((test) => test(curve));
}

/** Parts that belong to what is selected: itself, what bears its name, and the gear pairs of a wheel or body. @param {Block} block @param {string} selected */
export function partsOf(block, selected) {
  if (!selected) return () => false;
  const pairs = block.head.pairs.filter((p) => [p.wheel_a, p.wheel_b, p.body_a, p.body_b].includes(selected)).map((p) => p.name);
  return (/** @type {string} */ part) => part === selected || part.startsWith(`${selected}.`) || pairs.includes(part);
}

/**
 * @param {Block} block @param {string} query @param {string} selected part, whose signals come first @param {(part: string, count: number) => boolean} open
 * @returns {{rows: Row[], found: number}}
 */
export function signalRows(block, query, selected, open) {
  const fits = matcher(query), first = partsOf(block, selected);
  /** @type {Map<string, CurveSaid[]>} */
  const parts = new Map();
  let found = 0;
  for (const curve of curvesOf(block).values()) {
    if (!fits(curve)) continue;
    found += 1;
    const list = parts.get(curve.part);
    if (list) list.push(curve);
    else parts.set(curve.part, [curve]);
  }
  const ordered = [...parts].sort(([a], [b]) => Number(first(b)) - Number(first(a)));
  /** @type {Row[]} */
  const rows = [];
  for (const [part, curves] of ordered) {
    const shown = query.trim() !== "" || open(part, found);
    rows.push({ part, count: curves.length, open: shown, chosen: first(part) });
    if (shown) for (const curve of curves) rows.push({ part, curve });
  }
  return { rows, found };
}
