// Where records and series come from: from the page itself, or from the local server that `pitchline view` starts.
// @ts-check
import { Block } from "./data.js";
import { openServed } from "./served_source.js";
import { curvesOf } from "./signal_names.js";

/**
 * Curves between two times, or over more than was asked for: one row of smallest and one of largest values a name; where no
 * sample was left out they are the same array.
 */
/** @typedef {{time: Float64Array, low: Row[], high: Row[]}} Series */
/** Single precision in a page, double from the server. @typedef {Float32Array | Float64Array} Row */
/** @typedef {{name: string, kind: string}} RecordSaid */

/**
 * @typedef {object} Source
 * @property {boolean} live Whether a local server answers: models can then be run.
 * @property {() => Promise<RecordSaid[]>} records
 * @property {(record: number) => Promise<Block>} block
 * @property {(record: number, names: string[], from: number, to: number, columns: number) => Promise<Series>} series
 */

/** Records that the page itself holds. @implements {Source} */
export class EmbeddedSource {
  live = false;
  /** @param {Block[]} blocks */
  constructor(blocks) {
    this.blocks = blocks;
  }
  async records() {
    return this.blocks.map(({ head }) => ({ name: head.name, kind: head.kind }));
  }
  /** @param {number} record */
  async block(record) {
    return this.blocks[record];
  }
  /** All that the page holds, whatever is asked for: it is there. @param {number} record @param {string[]} names @returns {Promise<Series>} */
  async series(record, names) {
    const block = this.blocks[record];
    const time = /** @type {Float64Array} */ (block.array(block.head.signal_time));
    const rows = names.map((name) => values(block, name));
    return { time, low: rows.map((r) => r.low), high: rows.map((r) => r.high) };
  }
}

/** The whole of one signal or component, `signal` or `signal.component`, that the block holds. @param {Block} block @param {string} name */
export function values(block, name) {
  const { head } = block;
  const said = curvesOf(block).get(name);
  if (said?.signal.values === undefined) throw new Error(said ? `The page does not contain the values of "${name}".` : `There is no signal "${name}".`);
  const n = head.arrays[head.signal_time].shape[0], k = said.component;
  const all = block.columns(said.signal.values);
  if (!head.reduced) {
    const row = all.subarray(k * n, (k + 1) * n);
    return { low: row, high: row };
  }
  return { low: all.subarray(2 * k * n, (2 * k + 1) * n), high: all.subarray((2 * k + 1) * n, (2 * k + 2) * n) };
}

/** Of the page, or of the server that it came from. @returns {Promise<Source>} */
export async function openSource() {
  if (document.documentElement.dataset.served === "yes") return openServed();
  const held = [...document.querySelectorAll("script.record")];
  return new EmbeddedSource(await Promise.all(held.map((script) => unpacked(script.textContent ?? ""))));
}

/** base64 of gzip. @param {string} text */
async function unpacked(text) {
  const stream = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Block(await new Response(stream).arrayBuffer());
}

/** Uint8Array.fromBase64 is 70 times as fast as atob, and younger. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function fromBase64(text) {
  const fast = /** @type {any} */ (Uint8Array).fromBase64;
  return fast ? fast.call(Uint8Array, text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}
