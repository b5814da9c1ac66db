// The Campbell diagram: frequencies over the speed, orders, where they cross; a click chooses a mode and a speed.
// @ts-check
import { h } from "../dom.js";
import { axis, Chart, clipped, dot, markLine, paint } from "./chart.js";

/** @typedef {import("./findings.js").Finding} Finding */

const RPM = 30 / Math.PI;
/** Whirl of a curve, the mean over its speeds, from which on it has a direction. */
const WHIRLS = 0.05;
const COLOURS = { forward: "--curve-a", backward: "--curve-b", neither: "--faint" };

/** @typedef {"forward" | "backward" | "neither"} Whirl */

/** @param {number} whirl @returns {Whirl} */
export function whirlOf(whirl) {
  return whirl > WHIRLS ? "forward" : whirl < -WHIRLS ? "backward" : "neither";
}

/**
 * @param {Finding} finding @param {(row: number, column: number) => void} choose
 * @returns {{element: HTMLElement, mark: (row: number, column: number, frequency: number) => void, redraw: () => void}}
 */
export function campbellChart(finding, choose) {
  const { said, frequency, speed } = finding;
  const m = speed.length, n = finding.count;
  const rpm = Float64Array.from(speed, (v) => v * RPM);
  const whirl = /** @type {Float64Array} */ (finding.block.array(said.whirl));
  const ways = Array.from({ length: n }, (_, k) => {
    const known = whirl.subarray(k * m, (k + 1) * m).filter((w) => !Number.isNaN(w));
    return whirlOf(known.length ? known.reduce((a, b) => a + b, 0) / known.length : 0);
  });
  let shown = { row: -1, column: -1, frequency: NaN };
  const curves = Array.from({ length: n }, (_, k) => Array.from(frequency.subarray(k * m, (k + 1) * m), (f) => (Number.isNaN(f) ? null : f)));
  const top = 1.06 * frequency.reduce((a, b) => (b > a ? b : a), 0);

  const chart = new Chart(() => ({
    data: [Array.from(rpm), ...curves],
    options: {
      scales: { x: { time: false, range: (_u, low, high) => (low === high ? [low - 1, high + 1] : [low, high]) }, y: { range: () => [0, top || 1] } },
      axes: [axis(`speed of ${said.shaft} (rpm)`), axis("frequency (Hz)", { size: 56 })],
      cursor: { drag: { x: true, y: true, uni: 12 }, points: { show: false } },
      series: [{}, ...ways.map((way) => ({ stroke: () => paint(COLOURS[way]), width: 1.6, dash: way === "backward" ? [6, 3] : [], pxAlign: 0, spanGaps: false, points: { show: m < 3, size: 5 } }))],
      hooks: { draw: [orders, marks] },
    },
  }), (u, x, y) => {
    let best = { distance: Infinity, row: -1, column: -1 };
    finding.at.forEach((at, row) => {
      for (let column = 0; column < n; column++) {
        const f = frequency[column * m + at];
        const distance = Math.hypot(u.valToPos(rpm[at], "x") - x, u.valToPos(f, "y") - y);
        if (distance < best.distance) best = { distance, row, column };
      }
    });
    if (best.row >= 0) choose(best.row, best.column);
  });

  /** Lines of the orders, then their names on top of them. @param {import("uplot")} u */
  function orders(u) {
    const { ctx, bbox } = u, ink = paint("--faint"), dpr = devicePixelRatio;
    const low = u.scales.x.min ?? 0, high = u.scales.x.max ?? 0;
    const lines = said.orders.map((/** @type {{name: string, order: number}} */ { name, order }) => {
      const ends = (low < 0 && high > 0 ? [low, 0, high] : [low, high]).map((v) => [u.valToPos(v, "x", true), u.valToPos((Math.abs(order) / 60) * Math.abs(v), "y", true)]);
      return { name, ends };
    });
    clipped(u, () => {
      ctx.strokeStyle = ctx.fillStyle = ink;
      ctx.lineWidth = 0.8 * dpr;
      ctx.setLineDash([5 * dpr, 3 * dpr]);
      for (const { ends } of lines) {
        ctx.beginPath();
        for (const [x, y] of ends) ctx.lineTo(x, y);
        ctx.stroke();
      }
      ctx.setLineDash([]);
      ctx.strokeStyle = paint("--panel");
      ctx.lineWidth = 3 * dpr;
      ctx.font = `${11 * dpr}px system-ui, sans-serif`;
      ctx.textAlign = "right";
      for (const { name, ends } of lines) {
        const last = ends[ends.length - 1], before = ends[ends.length - 2];
        if (last[1] > bbox.top + bbox.height || before[1] - last[1] <= 0) continue;
        // where the line leaves the plot: at the right, or at the top
        const inside = last[1] >= bbox.top + 14 * dpr;
        const part = inside ? 1 : (before[1] - bbox.top) / (before[1] - last[1]);
        const x = Math.min(before[0] + part * (last[0] - before[0]), last[0]), y = inside ? last[1] : bbox.top + 3 * dpr;
        ctx.textBaseline = inside ? "bottom" : "top";
        ctx.strokeText(`${name} `, x, y); // so that it can be read on top of lines
        ctx.fillText(`${name} `, x, y);
      }
    });
  }

  /** Crossings, critical speeds and what is chosen. @param {import("uplot")} u */
  function marks(u) {
    const back = paint("--back"), ink = paint("--ink");
    clipped(u, () => {
      for (const { speed: v, frequency: f } of said.crossings) dot(u, v * RPM, f, 3, ink, back);
      for (const { speed: v, forward } of said.critical) dot(u, v * RPM, Math.abs(v) / (2 * Math.PI), 3.5, paint(COLOURS[forward ? "forward" : "backward"]), back);
    });
    const red = paint("--now");
    if (shown.row >= 0) {
      markLine(u, rpm[finding.at[shown.row]], "x", red, [2, 3]);
      clipped(u, () => dot(u, rpm[finding.at[shown.row]], shown.frequency, 5, red, red));
    }
    if (!Number.isNaN(shown.frequency)) markLine(u, shown.frequency, "y", red, [2, 3]);
  }

  const keys = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] });
  chart.element.tabIndex = 0;
  chart.element.setAttribute("role", "application");
  chart.element.setAttribute("aria-label", "Campbell diagram: arrow keys choose the speed and the mode");
  chart.element.addEventListener("keydown", (e) => {
    const step = keys[e.key];
    if (!step || e.ctrlKey || e.altKey || e.metaKey || !finding.rows) return;
    e.preventDefault();
    e.stopPropagation();
    const row = Math.min(Math.max(Math.max(shown.row, 0) + step[0], 0), finding.rows - 1);
    choose(row, step[1] ? nextMode(finding, row, Math.max(shown.column, 0), step[1]) : Math.max(shown.column, 0));
  });
  const seen = new Set(ways);
  const legend = h("p", { className: "legend" });
  for (const way of /** @type {Whirl[]} */ (["forward", "backward", "neither"])) {
    if (!seen.has(way)) continue;
    legend.append(h("span", {}, h("i", { className: `line ${way}` }), way === "neither" ? "no whirl" : `${way} whirl`));
  }
  if (said.crossings.length || said.critical.length) legend.append(h("span", {}, h("i", { className: "ring" }), "critical speeds"));
  return {
    element: h("div", { className: "charts" }, legend, chart.element),
    mark(row, column, f) {
      shown = { row, column, frequency: f };
      chart.redraw();
    },
    redraw: () => chart.redraw(),
  };
}

/** The mode with the next higher or lower frequency at a speed. @param {Finding} finding @param {number} row @param {number} column @param {number} side */
function nextMode(finding, row, column, side) {
  const here = finding.frequencyOf(row, column);
  let best = column;
  for (let k = 0; k < finding.count; k++) {
    const f = finding.frequencyOf(row, k), beyond = side * (f - here);
    if (k === column || Number.isNaN(f) || beyond < 0 || (beyond === 0 && side * (k - column) < 0)) continue;
    if (best === column || beyond < side * (finding.frequencyOf(row, best) - here)) best = k;
  }
  return best;
}
