// The one state of the page. Whoever changes it calls `set`; whoever depends on it is told once a change.
// @ts-check

/**
 * @typedef {object} State
 * @property {number} record Which record is shown.
 * @property {number} records How many records there are; grows when a model is run again.
 * @property {number} time [s]
 * @property {boolean} playing
 * @property {number} rate Seconds of the model a second of the clock.
 * @property {boolean} loop
 * @property {string} selected Name of the selected part; "" for none.
 * @property {ReadonlySet<string>} hidden Names of parts that are not drawn.
 * @property {ReadonlySet<string>} clear Names of parts that are see-through.
 * @property {readonly {record: number, name: string}[]} curves Signals in the plot.
 * @property {import("./world/effects.js").EffectState} effects What is shown of forces, contact and deformation.
 * @property {import("./world/look.js").Look} look What the 3D view shows beside the bodies, and how.
 * @property {boolean} overlay Whether the same signals of all other records are plotted too.
 * @property {readonly [number, number] | null} range Times that the plot shows [s]; null: all.
 * @property {"time" | "over" | "spectrum" | "orders"} plot What the curves are drawn over.
 * @property {string} over Signal on the horizontal axis, where curves are drawn over a signal.
 * @property {string} reference What orders are counted by: a signal of speed or angle, or the mesh cycles of a pair.
 * @property {boolean} log Whether the vertical axes are logarithmic.
 * @property {boolean} degrees Whether angles are shown in degrees and angular velocities in rpm.
 * @property {number} arrived Counts answers of the server with values that were asked for.
 * @property {"system" | "light" | "dark"} theme
 */

/** @typedef {keyof State} Key */

export class Store {
  /** @param {State} state */
  constructor(state) {
    /** @type {State} */
    this.state = state;
    /** @type {{keys: Set<Key>, call: (state: State) => void}[]} */
    this.listeners = [];
  }

  /** Change some of it; listeners of what really changed are called, each once. @param {Partial<State>} changes */
  set(changes) {
    const changed = /** @type {Key[]} */ (Object.keys(changes)).filter((key) => !Object.is(changes[key], this.state[key]));
    if (!changed.length) return;
    Object.assign(this.state, changes);
    for (const { keys, call } of [...this.listeners]) if (changed.some((key) => keys.has(key))) call(this.state);
  }

  /** @param {Key[]} keys @param {(state: State) => void} call @returns {() => void} what ends it */
  on(keys, call) {
    const listener = { keys: new Set(keys), call };
    this.listeners.push(listener);
    return () => { this.listeners = this.listeners.filter((l) => l !== listener); };
  }
}
