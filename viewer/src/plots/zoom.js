// Ranges of the horizontal axis, and the way back through them.
// @ts-check

/** @typedef {readonly [number, number] | null} Range null: all of it */

export class Zoom {
  /** @param {() => Range} get @param {(range: Range) => void} set */
  constructor(get, set) {
    this.get = get;
    this.set = set;
    /** @type {Range[]} */
    this.before = [];
    this.last = 0;
  }

  /** @param {Range} range @param {boolean} [joined] part of one movement with the change before: one step back undoes both */
  to(range, joined = false) {
    const now = performance.now();
    if (!joined || now - this.last > 600) this.before.push(this.get());
    this.last = joined ? now : 0;
    if (this.before.length > 100) this.before.shift();
    this.set(range);
  }

  back() {
    const range = this.before.pop();
    if (range !== undefined) this.set(range);
  }

  /** Larger or smaller about x, or moved by a part of itself, within all that there is. @param {readonly [number, number]} shown @param {readonly [number, number]} all @param {number} x @param {number} factor @param {number} move */
  wheel(shown, all, x, factor, move) {
    const length = shown[1] - shown[0], whole = all[1] - all[0];
    const least = 1e-9 * Math.max(whole, Math.abs(all[0]), Math.abs(all[1]));
    let from = x - (x - shown[0]) * factor + move * length, to = x + (shown[1] - x) * factor + move * length;
    if (to - from < least) return;
    if (to - from >= whole) return this.to(null, true);
    if (from < all[0]) [from, to] = [all[0], to + all[0] - from];
    if (to > all[1]) [from, to] = [from - (to - all[1]), all[1]];
    this.to([from, to], true);
  }
}
