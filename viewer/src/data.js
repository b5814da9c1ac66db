// The block of arrays that the Python side writes (src/pitchline/viewer/block.py). A block may come from a stranger's file:
// every array is checked against the block before it is read.
// @ts-check

/** @typedef {{dtype: string, shape: number[], offset: number, coding?: "columns"}} ArraySaid */
/** @typedef {{shape: string, position: number[], rotation: number[][], name?: string, kind: string, note?: string, colour?: string, opacity?: number, info?: [string, string][]}} Part */
/** @typedef {{name: string, group: string, colour?: string, hidden?: boolean, place?: string, turn?: string, spin?: string, structure?: string, info: [string, string][], parts: Part[]}} BodySaid */
/** @typedef {{type: string, count: number, position: string, normal: string, index: string, edge?: string, size: number[], axis: number[], axes: number[][], at: number[]}} Shape */
/** @typedef {{name: string, unit: string, description: string, components: string[], values?: string}} SignalSaid */
/** @typedef {{name: string, kind: string, body: string, other: string, position: number[], axis: number[], size: number, info?: [string, string][]}} JointSaid */
/** @typedef {{name: string, kind: string, a: {body: string, position: number[]}, b: {body: string, position: number[]}, radius: number, damped?: boolean, info?: [string, string][]}} SpringSaid */
/** @typedef {{name: string, wheel_a: string, wheel_b: string, body_a: string, body_b: string, kind: string, law: string, axis_a: number[], centre_a: number[], axis_b: number[], centre_b: number[], size: number, cycles?: string, force?: string, point?: string, contact?: string, info?: [string, string][]}} PairSaid */
/** @typedef {{name: string, of: string, kind: "force" | "torque", group: string, unit: string, text: string, on: string, opposite?: string, vector?: string, value?: string, point?: string, at?: {body: string, position: number[]}, along?: {body: string, direction: number[]}, from?: {body: string, position: number[]}, to?: {body: string, position: number[]}}} ArrowSaid */
/** @typedef {{name: string, value: string, unit: string, text: string, low?: number, high?: number, choices?: string[], formula?: string}} ParameterSaid */
/**
 * @typedef {{format: number, name: string, title: string, kind: string, status: string, message: string, version: string, samples: number,
 *   warnings: string[], notes: string[], gravity?: number[], time: string, signal_time: string, span?: [number, number], time_axis?: {label: string, unit: string}, reduced?: boolean, arrays: Record<string, ArraySaid>,
 *   shapes: Record<string, Shape>, bodies: BodySaid[], joints: JointSaid[], springs: SpringSaid[], pairs: PairSaid[], arrows: ArrowSaid[],
 *   signals: SignalSaid[], parameters: ParameterSaid[], [more: string]: any}} Head
 */

const KINDS = { f8: Float64Array, f4: Float32Array, i1: Int8Array, i2: Int16Array, u2: Uint16Array, u4: Uint32Array };
const MAGIC = "PLVIEW1";

export class Block {
  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    if (buffer.byteLength < 12 || new TextDecoder().decode(new Uint8Array(buffer, 0, 7)) !== MAGIC) throw new Error("This is not a view of pitchline.");
    const length = new DataView(buffer).getUint32(8, true);
    if (12 + length > buffer.byteLength) throw new Error("The view is incomplete. Write the view again.");
    /** @type {Head} */
    this.head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, length)));
    if (this.head.format !== 1) throw new Error(`This view has format ${this.head.format}; this page reads format 1.`);
    this.buffer = buffer;
    this.start = 12 + length;
    /** @type {Map<string, any>} */
    this.read = new Map();
    /** @type {Map<string, Float32Array<ArrayBuffer>>} */
    this.readColumns = new Map();
    this.time = /** @type {Float64Array} */ (this.array(this.head.time));
  }

  /** An array by its name, row by row; the same object each time. @param {string} name @returns {any} */
  array(name) {
    const known = this.read.get(name);
    if (known) return known;
    const said = this.head.arrays[name];
    let made = said?.coding === "columns" ? this.columns(name) : this.plain(name);
    const width = said.shape.slice(1).reduce((a, b) => a * b, 1);
    if (said.coding === "columns" && width > 1) {
      const n = said.shape[0], rows = new Float32Array(n * width);
      for (let k = 0; k < width; k++) for (let i = 0; i < n; i++) rows[i * width + k] = made[k * n + i];
      made = rows;
    }
    this.read.set(name, made);
    return made;
  }

  /** An array over time, component by component. @param {string} name @returns {Float32Array<ArrayBuffer>} */
  columns(name) {
    const known = this.readColumns.get(name);
    if (known) return known;
    const said = this.head.arrays[name];
    if (said?.coding !== "columns") throw new Error(`The array "${name}" of the view is not one over time.`);
    const made = /** @type {Float32Array<ArrayBuffer>} */ (this.plain(name));
    const bits = new Uint32Array(made.buffer), n = said.shape[0];
    // each value is kept as the difference of its bits from the one before
    for (let k = 0; k < bits.length; k += n) for (let i = 1; i < n; i++) bits[k + i] += bits[k + i - 1];
    this.readColumns.set(name, made);
    return made;
  }

  /** What the block holds under a name, put together from its planes of bytes. @param {string} name @returns {any} */
  plain(name) {
    const said = this.head.arrays[name];
    const kind = said && KINDS[/** @type {keyof typeof KINDS} */ (said.dtype)];
    if (!kind) throw new Error(`The view has no array "${name}" that can be read.`);
    const size = said.shape.reduce((a, b) => a * b, 1), width = kind.BYTES_PER_ELEMENT;
    const first = this.start + said.offset;
    if (!Number.isInteger(size) || size < 0 || !Number.isInteger(said.offset) || said.offset < 0 || first + size * width > this.buffer.byteLength) {
      throw new Error(`The array "${name}" of the view is cut off or damaged.`);
    }
    const planes = new Uint8Array(this.buffer, first, size * width);
    const bytes = new Uint8Array(size * width);
    for (let k = 0; k < width; k++) for (let i = 0, j = k * size; i < size; i++, j++) bytes[i * width + k] = planes[j];
    return new kind(bytes.buffer);
  }

  /** @param {string} name @returns {Float32Array<ArrayBuffer>} */
  float(name) {
    return this.array(name);
  }
}

/** The sample at or before a time, and how far the time lies towards the next. @param {Float64Array} time @param {number} t */
export function find(time, t) {
  let low = 0, high = time.length - 1;
  if (high < 1 || t <= time[0]) return { i: 0, f: 0 };
  if (t >= time[high]) return { i: high, f: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  return { i: low, f: (t - time[low]) / (time[high] - time[low]) };
}
