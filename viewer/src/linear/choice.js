// What is shown of small motions: which shape, at which phase, how large. Whoever changes it calls `set`.
// @ts-check

/**
 * @typedef {object} Chosen
 * @property {number} record Number of the record.
 * @property {number} row Number of the speed or frequency among those with shapes; of modes 0.
 * @property {number} column Number of the mode; of responses that of the input.
 * @property {number} output Of responses: number of the output that is plotted.
 * @property {number} phase Part of a period, 0 to 1.
 * @property {boolean} playing
 * @property {number} pace Periods a second of the clock.
 * @property {number} amplitude Times what is drawn by itself.
 * @property {boolean} ghost Whether the place at rest is drawn too.
 * @property {boolean} painted Whether bodies are coloured by their amplitude.
 */

export class Choice {
  /** @param {Chosen} state */
  constructor(state) {
    this.state = state;
    /** @type {((state: Chosen, changed: Set<keyof Chosen>) => void)[]} */
    this.listeners = [];
  }

  /** @param {Partial<Chosen>} changes */
  set(changes) {
    const changed = new Set(/** @type {(keyof Chosen)[]} */ (Object.keys(changes)).filter((key) => !Object.is(changes[key], this.state[key])));
    if (!changed.size) return;
    Object.assign(this.state, changes);
    for (const call of this.listeners) call(this.state, changed);
  }

  /** @param {(state: Chosen, changed: Set<keyof Chosen>) => void} call */
  on(call) {
    this.listeners.push(call);
  }
}
