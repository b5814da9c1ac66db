// Curves that a record has: each signal, or each component of a signal.
// @ts-check

/** @typedef {import("./data.js").Block} Block */
/** @typedef {import("./data.js").SignalSaid} SignalSaid */
/** name: `signal` or `signal.component`; part: what it belongs to; own: the rest of its name. */
/** @typedef {{name: string, part: string, own: string, signal: SignalSaid, component: number, unit: string}} CurveSaid */

/** @type {WeakMap<Block, Map<string, CurveSaid>>} */
const known = new WeakMap();

/** All of them by name, in the order of the record. @param {Block} block */
export function curvesOf(block) {
  const there = known.get(block);
  if (there) return there;
  /** @type {Map<string, CurveSaid>} */
  const all = new Map();
  for (const signal of block.head.signals) {
    const dot = signal.name.lastIndexOf(".");
    const part = dot > 0 ? signal.name.slice(0, dot) : "";
    const own = dot > 0 ? signal.name.slice(dot + 1) : signal.name;
    const components = signal.components.length ? signal.components.map((c) => `.${c}`) : [""];
    components.forEach((c, component) => {
      const name = signal.name + c;
      if (!all.has(name)) all.set(name, { name, part, own: own + c, signal, component, unit: signal.unit });
    });
  }
  known.set(block, all);
  return all;
}
