// First and last time of a record.
// @ts-check

/** Of its poses and of its signals, which may end later. @param {import("../data.js").Block} block @returns {{from: number, to: number}} [s] */
export function span(block) {
  const { head, time } = block;
  /** @type {ArrayLike<number>[]} */
  const ends = [time, head.span ?? []];
  if (head.arrays[head.signal_time]) ends.push(block.array(head.signal_time));
  let from = Infinity, to = -Infinity;
  for (const t of ends) {
    if (!t.length) continue;
    from = Math.min(from, t[0]);
    to = Math.max(to, t[t.length - 1]);
  }
  return from <= to ? { from, to } : { from: 0, to: 0 };
}
