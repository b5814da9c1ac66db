// What is chosen, in words and numbers.
// @ts-check
import { h } from "../dom.js";
import { hertz, short } from "./findings.js";
import { whirlOf } from "./campbell.js";

/** @typedef {import("./findings.js").Finding} Finding */
/** @typedef {import("./choice.js").Chosen} Chosen */

const BARS = 8;

/** @param {Finding} finding @param {Chosen} state @returns {HTMLElement[]} */
export function card(finding, state) {
  if (!finding.count) return [h("h2", {}, "No mode in this range of frequencies")];
  if (finding.analysis === "modes") return ofMode(finding, state.column);
  if (!finding.rows) return [h("h2", {}, finding.name), h("p", {}, "The mode shapes are too large to be stored. Compute fewer frequencies or modes (highest=).")];
  return finding.analysis === "campbell" ? ofCurve(finding, state) : ofFrequency(finding, state);
}

/** @param {Finding} finding @param {number} i */
function ofMode(finding, i) {
  const { said, block } = finding;
  const damping = block.array(said.damping)[i], rigid = i < said.rigid;
  /** @type {[string, string][]} */
  const lines = rigid ? [["Frequency", "0: rigid-body motion, drawn as an oscillation"]] : [["Frequency", hertz(finding.frequency[i])]];
  if (!rigid && Math.abs(damping) > 1e-3) lines.push(["Swings at", hertz(block.array(said.damped)[i])]);
  if (!rigid) lines.push(["Damping ratio", damping < 0 && !said.stable ? `${short(damping, 4)}: the motion grows, drawn without growth` : short(damping, 4)]);
  lines.push(["Kind", said.kinds[i]]);
  if (said.times[i] > 1) lines.push(["Times", `${said.times[i]} modes of this frequency. Every linear combination of them is also a mode`]);
  if (!finding.has(0, i)) lines.push(["Shape", "not in this page, because the page would become too large"]);
  lines.push(["", said.descriptions[i]]);
  /** @type {[string, number][]} */
  const shares = said.strain.map((/** @type {{name: string, share: string}} */ s) => [s.name, block.array(s.share)[i]]);
  const most = shares.filter(([, share]) => share >= 0.005).sort((a, b) => b[1] - a[1]).slice(0, BARS);
  const found = [h("h2", {}, `Mode ${i + 1}`), list(lines)];
  if (most.length) found.push(h("h3", {}, "Strain energy"), h("div", { className: "bars" }, ...most.flatMap(([name, share]) => bar(name, share))));
  return found;
}

/** @param {Finding} finding @param {Chosen} state */
function ofCurve(finding, { row, column }) {
  const { said, speed } = finding, v = speed[finding.at[row]];
  const damping = finding.curveAt("damping", row, column), whirl = finding.curveAt("whirl", row, column);
  const f = finding.frequencyOf(row, column);
  /** @type {[string, string][]} */
  const lines = [["Speed", `${short((v * 30) / Math.PI)} rpm (${short(v)} rad/s)`]];
  if (Number.isNaN(f)) lines.push(["Frequency", "none: the mode no longer oscillates at this speed"]);
  else {
    const way = whirlOf(whirl);
    lines.push(["Frequency", hertz(f)], ["Damping ratio", damping < 0 ? `${short(damping, 4)}: the motion grows, drawn without growth` : short(damping, 4)]);
    lines.push(["Whirl", Number.isNaN(whirl) ? "at rest: none" : way === "neither" ? "neither forward nor backward" : `${way} (${short(whirl, 2)})`]);
  }
  lines.push(["At the first speed", said.kinds[column]]);
  return [h("h2", {}, `Mode ${column + 1}`), list(lines)];
}

/** @param {Finding} finding @param {Chosen} state */
function ofFrequency(finding, { row, column, output }) {
  const { said, block, frequency } = finding, at = finding.at[row];
  const k = (output * said.inputs.length + column) * frequency.length + at, unit = said.units[output][column];
  return [h("h2", {}, hertz(frequency[at])), list([
    ["Input", said.inputs[column]], ["Output", said.outputs[output]], ["Magnitude", `${short(block.array(said.magnitude)[k], 4)} ${unit}`],
    ["Phase", `${short(block.array(said.phase)[k], 4)}°`], ["", "The picture shows how all bodies move at this frequency."],
  ])];
}

/** @param {[string, string][]} lines */
function list(lines) {
  return h("dl", {}, ...lines.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));
}

/** @param {string} name @param {number} share */
function bar(name, share) {
  return [h("span", {}, name), h("meter", { min: 0, max: 1, value: share, "aria-label": name }), h("span", {}, `${Math.round(100 * share)} %`)];
}
