// The frequency response: magnitude and phase over frequency; a click chooses a frequency, whose motion is then shown.
// @ts-check
import { h } from "../dom.js";
import { axis, Chart, markLine, paint } from "./chart.js";
import { short } from "./findings.js";

/** @typedef {import("./findings.js").Finding} Finding */

/**
 * @param {Finding} finding @param {(row: number) => void} choose @param {(input: number, output: number) => void} change
 * @returns {{element: HTMLElement, mark: (frequency: number) => void, show: (input: number, output: number) => void, redraw: () => void}}
 */
export function bodeChart(finding, choose, change) {
  const { said, frequency, block } = finding;
  const m = frequency.length, x = Array.from(frequency);
  const log = x[0] > 0 && x[m - 1] > x[0];
  let input = 0, output = 0, shown = NaN;
  const curve = (/** @type {string} */ name) => {
    const first = (output * said.inputs.length + input) * m;
    return Array.from(/** @type {Float64Array} */ (block.array(said[name])).subarray(first, first + m));
  };
  /** @param {import("uplot")} u @param {number} left */
  function click(u, left) {
    const f = u.posToVal(left, "x");
    let best = 0;
    for (let i = 1; i < m; i++) if (Math.abs(x[i] - f) < Math.abs(x[best] - f)) best = i;
    const row = finding.rowNear(best);
    if (row >= 0) choose(row);
  }
  /** @type {import("uplot").Scale} */
  const scaleX = { time: false, range: (_u, low, high) => (low < high ? [low, high] : [0.9 * low, 1.1 * high || 1]), ...(log ? { distr: 3 } : {}) };
  const splitsX = log ? { splits: (/** @type {import("uplot")} */ u, /** @type {number} */ _i, /** @type {number} */ low, /** @type {number} */ high) => parts(low, high, u.bbox.width / devicePixelRatio / 45), filter: all } : {};
  const one = { pxAlign: 0, width: 1.6, points: { show: m < 3, size: 5 } };
  const cursor = { drag: { x: true, y: false }, points: { show: false }, sync: { key: `bode ${finding.record}`, setSeries: false } };
  const mark = (/** @type {import("uplot")} */ u) => { if (!Number.isNaN(shown)) markLine(u, shown, "x", paint("--now")); };
  const size = new Chart(() => {
    const values = curve("magnitude").map((v) => (v > 0 && Number.isFinite(v) ? v : null));
    const unit = said.units[output][input];
    return {
      data: [x, values],
      options: {
        scales: { x: scaleX, y: values.some((v) => v !== null) ? { distr: 3 } : { range: [0, 1] } }, cursor,
        axes: [axis("", { size: 8, labelSize: 0, values: () => [], ...splitsX }), axis(`magnitude${unit ? ` (${unit})` : ""}`, { size: 62, splits: (u, _i, low, high) => parts(low, high, u.bbox.height / devicePixelRatio / 18), filter: all, values: (_u, splits) => splits.map(power) })],
        series: [{}, { ...one, stroke: () => paint("--curve-a") }], hooks: { draw: [mark] },
      },
    };
  }, click);
  const phase = new Chart(() => ({
    data: [x, curve("phase").map((v) => (Number.isFinite(v) ? v : null))],
    options: {
      scales: { x: scaleX, y: { range: (_u, low, high) => degrees(low, high) } }, cursor,
      axes: [axis("frequency (Hz)", { ...splitsX, values: (_u, splits) => splits.map((v) => short(v, 3)) }), axis("phase (deg)", { size: 62, splits: (_u, _i, low, high) => angles(low, high) })],
      series: [{}, { ...one, stroke: () => paint("--curve-b") }], hooks: { draw: [mark] },
    },
  }), click);
  size.element.classList.add("magnitude");
  phase.element.classList.add("phase");
  const pick = (/** @type {string} */ label, /** @type {string[]} */ names, /** @type {() => void} */ then) =>
    h("select", { "aria-label": label, title: label, onchange: then, disabled: names.length < 2 }, ...names.map((name, i) => new Option(name, String(i))));
  const inputs = pick("Input", said.inputs, () => change(Number(inputs.value), output));
  const outputs = pick("Output", said.outputs, () => change(input, Number(outputs.value)));
  return {
    element: h("div", { className: "charts bode" }, h("p", { className: "legend" }, outputs, " over ", inputs), size.element, phase.element),
    mark(f) {
      shown = f;
      size.redraw();
      phase.redraw();
    },
    show(i, o) {
      if (i === input && o === output) return;
      input = i;
      output = o;
      inputs.value = String(i);
      outputs.value = String(o);
      size.again();
      phase.again();
    },
    redraw() {
      size.redraw();
      phase.redraw();
    },
  };
}

/** @param {number} v */
const power = (v) => (v >= 1e5 || v < 1e-3 ? v.toExponential().replace("e+", "e") : short(v, 3));

/** uPlot leaves out some on logarithmic axes. @param {import("uplot")} _u @param {number[]} splits */
const all = (_u, splits) => splits;

/** Round values on a logarithmic axis: 1, 2, 5 of each decade, or decades alone, or some of them. @param {number} low @param {number} high @param {number} most */
function parts(low, high, most) {
  const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high)), decades = Math.log10(high / low);
  const digits = 3 * decades <= most ? [1, 2, 5] : [1], step = Math.max(1, Math.ceil(decades / Math.max(most, 1)));
  const found = [];
  for (let e = Math.ceil(from / step) * step; e <= to; e += step) for (const d of digits) {
    const v = Number(`${d}e${e}`);
    if (v >= low && v <= high) found.push(v);
  }
  return found;
}

/** @param {number | null} low @param {number | null} high @returns {[number, number]} */
function degrees(low, high) {
  const a = Math.floor(((low ?? 0) - 5) / 45) * 45, b = Math.ceil(((high ?? 0) + 5) / 45) * 45;
  return [a, b];
}

/** Whole parts of a turn. @param {number} low @param {number} high */
function angles(low, high) {
  const step = [15, 45, 90, 180, 360, 720, 1440].find((s) => (high - low) / s <= 5) ?? Math.ceil((high - low) / 1800) * 360;
  const found = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) found.push(v);
  return found;
}
