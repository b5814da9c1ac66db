// Values of signals at a time.
// @ts-check
import { find } from "./data.js";
import { quantity, shownIn, figures } from "./format.js";
import { curvesOf } from "./signal_names.js";
import { values } from "./source.js";

/** @typedef {import("./main.js").App} App */
/** @typedef {{time: Float64Array, low: import("./source.js").Row, high: import("./source.js").Row}} Piece */

const SAMPLES = 2000; // asked for about a time, so that the next times need no answer of the server
const TOGETHER = 16; // signals that a server answers for at once

/**
 * Smallest and largest value at a time: both the same, linear between samples, where all samples are at hand.
 * null where there is none, or not yet: `arrived` of the state counts up when more is known.
 * @param {App} app @param {number} record @param {string} name @param {number} t [s] @returns {[number, number] | null}
 */
export function bandAt(app, record, name, t) {
  const block = app.blocks[record];
  const said = curvesOf(block).get(name);
  if (!said) return null;
  if (said.signal.values === undefined) return app.source.live ? within(asked(app, record, name, t), t) : null;
  return within({ time: block.array(block.head.signal_time), ...values(block, name) }, t);
}

/** The value at a time, linear between samples; NaN where it is not known. @param {App} app @param {number} record @param {string} name @param {number} t [s] */
export function valueAt(app, record, name, t) {
  const band = bandAt(app, record, name, t);
  return band ? (band[0] + band[1]) / 2 : NaN;
}

/** The value with its unit; a range where only smallest and largest are known. @param {App} app @param {number} record @param {string} name @param {number} t [s] */
export function valueText(app, record, name, t) {
  const band = bandAt(app, record, name, t);
  const unit = curvesOf(app.blocks[record]).get(name)?.unit ?? "";
  const { degrees } = app.store.state;
  if (!band) return "—";
  if (band[0] === band[1] || Number.isNaN(band[0])) return quantity(band[0], unit, degrees);
  const shown = shownIn(unit, Math.max(Math.abs(band[0]), Math.abs(band[1])), degrees);
  return `${figures(band[0] * shown.factor)} … ${figures(band[1] * shown.factor)} ${shown.unit}`.trim();
}

/** @param {Piece | undefined} piece @param {number} t @returns {[number, number] | null} */
export function within(piece, t) {
  if (!piece) return null;
  const { time, low, high } = piece, n = time.length;
  const slack = n > 1 ? 1e-9 * (time[n - 1] - time[0]) : Infinity;
  if (!n || t < time[0] - slack || t > time[n - 1] + slack) return null;
  const { i, f } = find(time, t);
  if (f === 0) return [low[i], high[i]];
  if (low === high) {
    const value = low[i] + f * (low[i + 1] - low[i]);
    return [value, value];
  }
  return [Math.min(low[i], low[i + 1]), Math.max(high[i], high[i + 1])];
}

/** Pieces about a time that a server has sent, and names that are asked for next. */
class Pieces {
  /** @type {Map<string, Piece & {from: number, to: number}>} */
  known = new Map();
  /** @type {Set<string>} */
  wanted = new Set();
  busy = false;
}

/** @type {WeakMap<import("./data.js").Block, Pieces>} */
const held = new WeakMap();

/** @param {App} app @param {number} record @param {string} name @param {number} t */
function asked(app, record, name, t) {
  const block = app.blocks[record];
  let pieces = held.get(block);
  if (!pieces) held.set(block, (pieces = new Pieces()));
  const piece = pieces.known.get(name);
  if (piece && t >= piece.from && t <= piece.to) return piece;
  pieces.wanted.add(name);
  if (!pieces.busy) {
    pieces.busy = true;
    setTimeout(() => fetchPieces(app, record, /** @type {Pieces} */ (pieces)), 20); // all that is asked for in one go
  }
  return undefined;
}

/** @param {App} app @param {number} record @param {Pieces} pieces */
async function fetchPieces(app, record, pieces) {
  const { time } = app.blocks[record], { store, source } = app;
  const first = time[0] ?? 0, last = time[time.length - 1] ?? 0;
  const names = [...pieces.wanted].slice(0, TOGETHER);
  for (const name of names) pieces.wanted.delete(name);
  const half = (SAMPLES / 2) * ((last - first) / Math.max(app.blocks[record].head.samples - 1, 1));
  const from = store.state.time - half, to = store.state.time + half;
  try {
    const got = await source.series(record, names, from, to, 2 * SAMPLES);
    names.forEach((name, k) => pieces.known.set(name, { time: got.time, low: got.low[k], high: got.high[k], from, to }));
    store.set({ arrived: store.state.arrived + 1 });
  } catch {
    pieces.wanted.clear(); // the server has gone: its own message says so; the next time asks again
  }
  if (pieces.wanted.size) setTimeout(() => fetchPieces(app, record, pieces), 0);
  else pieces.busy = false;
}
