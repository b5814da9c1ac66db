// Which curves are drawn, how they look, and their samples.
// @ts-check
import { timeAxis } from "../format.js";
import { curvesOf } from "../signal_names.js";
import { span } from "../time/span.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {{record: number, name: string, unit: string, label: string, description: string, colour: string, style: number, dash: number[]}} Curve */
/** @typedef {{time: Float64Array, low: import("../source.js").Row, high: import("../source.js").Row}} Samples */

// after Okabe and Ito: told apart by people who see colours differently, too
const LIGHT = ["#0072B2", "#C44E00", "#00875F", "#A8478C", "#2E9BD6", "#B87F00", "#1c2126", "#7A5230"];
const DARK = ["#4AA8E8", "#FF8F52", "#3FD0A4", "#E59FCB", "#9AD8FF", "#F2C14E", "#E8ECF0", "#C69C6D"];
/** A line style for each record that is drawn. */
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const TOGETHER = 16; // signals that a server answers for at once
const SAMPLES = 2 ** 20; // of one signal that it gives at most
const NUMBERS = 2 ** 22; // in one answer

/** Colours stay with curves while other curves come and go. */
export class Slots {
  /** @type {Map<string, number>} */
  taken = new Map();

  /** @param {string[]} keys of what is drawn now */
  keep(keys) {
    for (const key of [...this.taken.keys()]) if (!keys.includes(key)) this.taken.delete(key);
    for (const key of keys) {
      if (this.taken.has(key)) continue;
      const used = new Set(this.taken.values());
      let slot = 0;
      while (used.has(slot)) slot += 1;
      this.taken.set(key, slot);
    }
  }

  /** @param {string} key @param {boolean} dark */
  colour(key, dark) {
    const colours = dark ? DARK : LIGHT;
    return colours[(this.taken.get(key) ?? 0) % colours.length];
  }
}

/** The chosen signals, and those of the other records where records are compared. @param {App} app @param {Slots} slots @param {boolean} dark @returns {Curve[]} */
export function shownCurves(app, slots, dark) {
  const { curves, overlay } = app.store.state;
  const names = [...new Set(curves.map((c) => c.name))];
  // a single sample, as of statics, beside curves over time would be a dot that nobody asked for
  const moving = app.blocks.map(span).map(({ from, to }) => to > from);
  const { label } = timeAxis(app.block);
  const compared = (/** @type {number} */ record) => overlay && (moving[record] || !moving.includes(true));
  /** @type {Curve[]} */
  const shown = [];
  for (const name of names) {
    app.blocks.forEach((block, record) => {
      const said = curvesOf(block).get(name);
      if (!said || timeAxis(block).label !== label || !(compared(record) || curves.some((c) => c.name === name && c.record === record))) return;
      shown.push({ record, name, unit: said.unit === "1" ? "" : said.unit, label: name, description: said.signal.description, colour: "", style: 0, dash: [] });
    });
  }
  const drawn = [...new Set(shown.map((c) => c.record))].sort((a, b) => a - b);
  for (const curve of shown) {
    curve.style = drawn.indexOf(curve.record) % DASHES.length;
    curve.dash = DASHES[curve.style];
  }
  slots.keep(shown.map((c) => keyOf(c.record, c.name)));
  for (const curve of shown) curve.colour = slots.colour(keyOf(curve.record, curve.name), dark);
  if (drawn.length > 1) for (const curve of shown) curve.label = `${curve.name} · ${recordName(app, curve.record)}`;
  return shown;
}

/** The name of a record, with its number where two have the same. @param {App} app @param {number} record */
export function recordName(app, record) {
  const names = app.blocks.map((block) => block.head.name);
  return names.filter((name) => name === names[record]).length > 1 ? `${names[record]} (${record + 1})` : names[record];
}

/** Names of the samples of a curve. @param {number} record @param {string} name */
export const keyOf = (record, name) => `${record}\n${name}`;

/**
 * Samples of curves between two times, by key.
 * @param {App} app @param {{record: number, name: string}[]} curves @param {number} from [s] @param {number} to [s] @param {number} columns Infinity: all samples, as far as a server gives them @returns {Promise<Map<string, Samples>>}
 */
export async function samplesOf(app, curves, from, to, columns) {
  /** @type {Map<number, Set<string>>} */
  const wanted = new Map();
  for (const { record, name } of curves) wanted.set(record, (wanted.get(record) ?? new Set()).add(name));
  /** @type {Map<string, Samples>} */
  const found = new Map();
  await Promise.all([...wanted].flatMap(([record, set]) => {
    const names = [...set];
    return Array.from({ length: Math.ceil(names.length / TOGETHER) }, async (_, k) => {
      const some = names.slice(k * TOGETHER, (k + 1) * TOGETHER);
      const { time, low, high } = await app.source.series(record, some, from, to, Math.min(columns, SAMPLES, Math.floor(NUMBERS / some.length)));
      some.forEach((name, i) => found.set(keyOf(record, name), { time, low: low[i], high: high[i] }));
    });
  }));
  return found;
}
