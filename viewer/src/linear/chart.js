// A chart of uPlot that fills its place, in the colours of the page.
// @ts-check
import uPlot from "uplot";
import { h } from "../dom.js";

/** An axis in the colours of the page. @param {string} label @param {Partial<uPlot.Axis>} [more] @returns {uPlot.Axis} */
export function axis(label, more = {}) {
  const line = { stroke: () => paint("--line"), width: 1 };
  return { label, labelSize: 18, labelGap: 0, size: 34, font: FONT, labelFont: FONT, stroke: () => paint("--faint"), grid: line, ticks: { ...line, size: 5 }, ...more };
}

const FONT = "11px system-ui, sans-serif";

/** A colour of the page as the canvas knows it: light-dark() is resolved by an element. @param {string} name such as --ink */
export function paint(name) {
  probe.style.color = `var(${name})`;
  if (!probe.isConnected) document.body.append(probe);
  return getComputedStyle(probe).color;
}
const probe = h("i", { hidden: true });

export class Chart {
  /**
   * @param {() => {options: Omit<uPlot.Options, "width" | "height">, data: unknown[]}} make
   * @param {(u: uPlot, x: number, y: number) => void} click with the place in pixels of the plotting area
   */
  constructor(make, click) {
    this.element = h("div", { className: "chart" });
    this.make = make;
    this.click = click;
    /** @type {uPlot | undefined} */
    this.u = undefined;
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width < 40 || height < 40) return;
    if (this.u) this.u.setSize({ width, height });
    else this.again();
  }

  /** Made anew, from what `make` says now. */
  again() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width < 40 || height < 40) return;
    this.u?.destroy();
    const { options, data } = this.make();
    const u = new uPlot({ ...options, width, height, legend: { show: false } }, /** @type {uPlot.AlignedData} */ (/** @type {unknown} */ (data)), this.element);
    this.u = u;
    let from = [0, 0];
    u.over.addEventListener("mousedown", (e) => { from = [e.clientX, e.clientY]; });
    u.over.addEventListener("click", (e) => {
      if (Math.hypot(e.clientX - from[0], e.clientY - from[1]) > 4) return; // a zoom
      const place = u.over.getBoundingClientRect();
      this.click(u, e.clientX - place.left, e.clientY - place.top);
    });
  }

  /** Lines and marks drawn again; curves stay. */
  redraw() {
    this.u?.redraw(false, false);
  }
}

/** A line across the plotting area. @param {uPlot} u @param {number} value @param {"x" | "y"} scale @param {string} stroke @param {number[]} [dash] */
export function markLine(u, value, scale, stroke, dash = []) {
  const { ctx, bbox } = u;
  const p = u.valToPos(value, scale, true);
  if (!Number.isFinite(p)) return;
  clipped(u, () => {
    ctx.strokeStyle = stroke;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash(dash.map((d) => d * devicePixelRatio));
    ctx.beginPath();
    if (scale === "x") { ctx.moveTo(p, bbox.top); ctx.lineTo(p, bbox.top + bbox.height); } else { ctx.moveTo(bbox.left, p); ctx.lineTo(bbox.left + bbox.width, p); }
    ctx.stroke();
  });
}

/** Draw inside the plotting area only. @param {uPlot} u @param {() => void} draw */
export function clipped(u, draw) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw();
  ctx.restore();
}

/** A circle. @param {uPlot} u @param {number} x @param {number} y @param {number} radius @param {string} stroke @param {string} fill */
export function dot(u, x, y, radius, stroke, fill) {
  const { ctx } = u;
  ctx.beginPath();
  ctx.arc(u.valToPos(x, "x", true), u.valToPos(y, "y", true), radius * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([]);
  ctx.stroke();
}
