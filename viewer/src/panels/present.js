// Values of signals at the time that is shown, from what the page holds.
// @ts-check
import { find } from "../data.js";
import { values } from "../source.js";

/** @param {import("../main.js").App} app @param {number} record @param {string} name @param {number} t */
export function valueText(app, record, name, t) {
  const block = app.blocks[record];
  const { low, high, signal } = values(block, name);
  const { i, f } = find(block.array(block.head.signal_time), t), j = Math.min(i + 1, low.length - 1);
  const value = low === high ? low[i] + (low[j] - low[i]) * f : (low[i] + high[i]) / 2;
  return `${Number(value.toPrecision(5))} ${signal.unit}`;
}
