// Signals over time, with the time that is shown as a line.
// @ts-check
import uPlot from "uplot";
import { h } from "../dom.js";

const LINES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"];

/** @param {import("../main.js").App} app */
export function plotPanel(app) {
  const { store, source, regions } = app;
  const panel = regions.plot;
  /** @type {uPlot | undefined} */
  let chart;
  async function plot() {
    const { curves } = store.state;
    if (!curves.length) return;
    const { record } = curves[0];
    const { time, low } = await source.series(record, curves.map((c) => c.name), -Infinity, Infinity, 2000);
    chart?.destroy();
    chart = new uPlot(
      {
        width: panel.clientWidth - 8, height: panel.clientHeight - 12, legend: { show: false },
        scales: { x: { time: false } },
        axes: [{ label: "time (s)", labelSize: 18, size: 34 }, { size: 70 }],
        series: [{}, ...curves.map((c, i) => ({ label: c.name, stroke: LINES[i % LINES.length], width: 1.5, pxAlign: 0, points: { show: false } }))],
        hooks: {
          draw: [(u) => {
            const x = u.valToPos(store.state.time, "x", true);
            if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
            u.ctx.save();
            u.ctx.strokeStyle = "#c00000";
            u.ctx.beginPath();
            u.ctx.moveTo(x, u.bbox.top);
            u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
            u.ctx.stroke();
            u.ctx.restore();
          }],
        },
      },
      /** @type {uPlot.AlignedData} */ (/** @type {unknown} */ ([time, ...low])),
      panel,
    );
    chart.over.addEventListener("click", (e) => { if (chart && !chart.select.width) store.set({ time: chart.posToVal(e.offsetX, "x") }); });
  }
  panel.append(h("div"));
  store.on(["curves"], plot);
  store.on(["time"], () => chart?.redraw(false, false));
  new ResizeObserver(() => plot()).observe(panel);
}
