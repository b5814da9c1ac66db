// Modes, Campbell diagrams and frequency responses as a block holds them (src/pitchline/viewer/records.py), checked.
// @ts-check

/** @typedef {import("../data.js").Block} Block */

/** What they have in common: shapes in rows (speeds, frequencies) and columns (modes, inputs). */
export class Finding {
  /** @param {Block} block @param {number} record */
  constructor(block, record) {
    const said = block.head.linear;
    this.block = block;
    this.record = record;
    this.said = said;
    this.title = block.head.title;
    this.name = block.head.name;
    /** @type {"modes" | "campbell" | "response"} */
    this.analysis = said.analysis;
    /** @type {string[]} */
    this.bodies = said.bodies;
    this.shapes = block.float(said.shapes);
    this.places = block.float(said.place);
    this.turns = block.float(said.turn);
    /** @type {Uint32Array} */
    this.at = block.array(said.shapes_at);
    const [rows, columns, bodies] = block.head.arrays[said.shapes].shape;
    this.rows = rows;
    this.columns = columns;
    if (bodies !== this.bodies.length || this.shapes.length !== rows * columns * bodies * 12 || this.at.length !== rows || this.places.length !== 3 * bodies || this.turns.length !== 4 * bodies) {
      throw new Error(`The shapes of "${this.name}" do not fit its bodies: the view is damaged; write it again.`);
    }
    /** Frequencies [Hz]: of modes (n), of Campbell diagrams (modes, speeds), of responses (m). @type {Float64Array} */
    this.frequency = block.array(said.frequency);
    /** @type {Float64Array} */
    this.speed = said.speed ? block.array(said.speed) : new Float64Array(0);
  }

  /** How many modes there are, or frequencies of a response. */
  get count() {
    return this.analysis === "campbell" ? this.said.kinds.length : this.frequency.length;
  }

  /** Whether the page holds a shape. @param {number} row @param {number} column */
  has(row, column) {
    return row >= 0 && row < this.rows && column >= 0 && column < this.columns && !Number.isNaN(this.frequencyOf(row, column));
  }

  /** [Hz] @param {number} row @param {number} column */
  frequencyOf(row, column) {
    if (this.analysis === "modes") return this.frequency[column];
    if (this.analysis === "response") return this.frequency[this.at[row]];
    return this.frequency[column * this.speed.length + this.at[row]];
  }

  /** Of a Campbell diagram: an array (modes, speeds) at a row. @param {"damping" | "whirl"} name @param {number} row @param {number} column @returns {number} */
  curveAt(name, row, column) {
    return this.block.array(this.said[name])[column * this.speed.length + this.at[row]];
  }

  /** The row whose speed or frequency is nearest. @param {number} place its number among all of them */
  rowNear(place) {
    let best = -1;
    this.at.forEach((at, row) => { if (best < 0 || Math.abs(at - place) < Math.abs(this.at[best] - place)) best = row; });
    return best;
  }

  /** Number of the mode with the nearest frequency; of modes only. @param {number} frequency [Hz] */
  modeNear(frequency) {
    let best = -1;
    for (let i = this.said.rigid; i < this.frequency.length; i++) if (best < 0 || Math.abs(this.frequency[i] - frequency) < Math.abs(this.frequency[best] - frequency)) best = i;
    return best;
  }
}

/** @param {Block} block */
export function isLinear(block) {
  return block.head.linear !== undefined;
}

/** A number with so many digits that count, without trailing zeros. @param {number} value @param {number} [digits] */
export function short(value, digits = 5) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return size && (size < 1e-3 || size >= 1e7) ? value.toExponential(digits - 1).replace(/\.?0+e/, "e") : String(Number(value.toPrecision(digits)));
}

/** [Hz] with a unit. @param {number} f */
export function hertz(f) {
  return Math.abs(f) >= 1e4 ? `${short(f / 1000)} kHz` : `${short(f)} Hz`;
}
