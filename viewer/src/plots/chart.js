// One chart: axes by uPlot, curves painted by us, since curves of several records have times of their own.
// @ts-check
import uPlot from "uplot";
import { h, outerScrolls } from "../dom.js";
import { figures, sign, tickTexts } from "../format.js";
import { paint, valueRange } from "./paint.js";

/** @typedef {import("./paint.js").Line} Line */
/** @typedef {{x: number, text: string}} Mark */
/** @typedef {{x: number, y: number, colour: string, text: string}} Peak */
/** Colours of the page as the canvas needs them. @typedef {{ink: string, faint: string, grid: string}} Inks */

/**
 * @typedef {object} ChartSaid
 * @property {number} width [px]
 * @property {number} height [px]
 * @property {[number, number]} x
 * @property {string} xLabel "" for an axis without texts, as another chart below has them
 * @property {number} xFactor
 * @property {string} xUnit
 * @property {string} yUnit
 * @property {string} yLabel
 * @property {boolean} log
 * @property {number} gutter width of the vertical axis [px]
 * @property {Line[]} lines
 * @property {Mark[]} marks vertical lines
 * @property {Peak[]} peaks
 * @property {Inks} inks
 * @property {(x: number) => void} pick a click at x
 * @property {(from: number, to: number) => void} zoom a drag
 * @property {() => void} all a double click
 * @property {(x: number, factor: number, move: number) => void} wheel
 * @property {(text: string) => void} hover
 */

/** Range of a vertical axis: a little more than the values. @param {Line[]} lines @param {number} from @param {number} to @param {boolean} log @returns {[number, number]} */
export function axisRange(lines, from, to, log) {
  const [low, high] = valueRange(lines, from, to, log) ?? (log ? [1, 10] : [0, 1]);
  if (log) return [Math.max(low / 1.5, high * 1e-9), high * 1.5];
  // noise of single precision is not blown up to a full axis
  const least = 2e-6 * Math.max(Math.abs(low), Math.abs(high));
  const pad = high - low > least ? 0.06 * (high - low) : Math.max(Math.abs(high) * 0.05, least) || 1;
  return [low - pad, high + pad];
}

/** Width that the texts of a vertical axis need, the same for all charts above each other [px]. @param {Line[]} lines @param {[number, number]} x @param {boolean} log */
export function axisWidth(lines, x, log) {
  const [low, high] = axisRange(lines, x[0], x[1], log);
  const step = 2.5 * 10 ** Math.floor(Math.log10((high - low) / 8));
  const longest = log ? 6 : Math.max(...tickTexts([low, high].map((v) => Math.round(v / step) * step), step).map((text) => text.length));
  return Math.max(38, 6.4 * longest + 12);
}

export class Chart {
  /** @param {HTMLElement} holder @param {ChartSaid} said */
  constructor(holder, said) {
    this.said = said;
    const y = axisRange(said.lines, said.x[0], said.x[1], said.log);
    this.y = y;
    const { inks } = said;
    const axis = { stroke: inks.ink, grid: { stroke: inks.grid, width: 1 }, ticks: { stroke: inks.grid, width: 1, size: 4 }, font: "11px system-ui, sans-serif", labelFont: "11px system-ui, sans-serif" };
    this.uplot = new uPlot(
      {
        width: said.width, height: said.height, legend: { show: false }, pxAlign: 0, padding: [8, 14, said.xLabel ? 0 : 6, 0],
        scales: { x: { time: false, range: () => said.x }, y: { range: () => y, distr: said.log ? 3 : 1 } },
        axes: [
          { ...axis, size: said.xLabel ? 24 : 4, label: said.xLabel || undefined, labelSize: 16, gap: 3, space: 70,
            values: (_u, ticks, _i, _space, step) => (said.xLabel ? tickTexts(ticks, step, said.xFactor) : ticks.map(() => "")) },
          { ...axis, ...(said.log ? { splits: logTicks, filter: all, grid: { ...axis.grid, filter: all }, ticks: { ...axis.ticks, filter: all } } : {}),
            size: said.gutter, label: said.yLabel, labelSize: 16, gap: 4, space: 19,
            values: (_u, ticks, _i, _space, step) => (said.log ? logTexts(ticks) : tickTexts(ticks, step)) },
        ],
        series: [{}, { paths: () => null, points: { show: false } }],
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 4 }, bind: { dblclick: () => null } },
        hooks: {
          draw: [(u) => { this.draw(u.ctx, u.bbox); this.place(); }], // before, uPlot does not know where values lie
          setSelect: [(u) => {
            const { left, width } = u.select;
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            if (width > 4) said.zoom(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
          }],
          setCursor: [(u) => said.hover(this.hovered(u))],
        },
      },
      [[said.x[0], said.x[1]], [y[0], y[1]]],
      holder,
    );
    /** The time that is shown, or the point of it on a curve over a signal: moved without drawing the chart again. */
    this.line = h("div", { className: "now-line" });
    this.dots = said.lines.map(({ colour }) => {
      const dot = h("i", { className: "now-dot" });
      dot.style.background = colour;
      return dot;
    });
    /** @type {number | null} */
    this.shown = null;
    /** @type {([number, number] | null)[]} */
    this.places = said.lines.map(() => null);
    this.uplot.over.append(this.line, ...this.dots);
    this.listen(this.uplot.over);
  }

  /** @param {HTMLElement} over */
  listen(over) {
    let down = NaN;
    over.addEventListener("mousedown", (e) => { down = e.clientX; });
    over.addEventListener("click", (e) => {
      if (e.detail < 2 && Math.abs(e.clientX - down) < 4) this.said.pick(this.uplot.posToVal(e.clientX - over.getBoundingClientRect().left, "x"));
    });
    over.addEventListener("dblclick", () => this.said.all());
    over.addEventListener("wheel", (e) => {
      if (outerScrolls()) return;
      e.preventDefault();
      const x = this.uplot.posToVal(e.clientX - over.getBoundingClientRect().left, "x");
      const sideways = e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY);
      const way = Math.max(-1, Math.min(1, (sideways ? e.deltaX || e.deltaY : e.deltaY) / 100));
      if (sideways) this.said.wheel(x, 1, way * 0.1);
      else this.said.wheel(x, 1.25 ** way, 0);
    }, { passive: false });
  }

  /** @param {CanvasRenderingContext2D} ctx @param {{left: number, top: number, width: number, height: number}} box */
  draw(ctx, box) {
    const { said, y } = this, ratio = uPlot.pxRatio;
    const field = { ...box, x: said.x, y, log: said.log };
    ctx.save();
    ctx.beginPath();
    ctx.rect(box.left, box.top, box.width, box.height);
    ctx.clip();
    const at = (/** @type {number} */ x) => box.left + ((x - said.x[0]) / (said.x[1] - said.x[0])) * box.width;
    ctx.font = `${10.5 * ratio}px system-ui, sans-serif`;
    ctx.textBaseline = "top";
    ctx.textAlign = "left";
    let free = -Infinity;
    for (const mark of said.marks) {
      const x = at(mark.x);
      if (x < box.left || x > box.left + box.width) continue;
      ctx.strokeStyle = ctx.fillStyle = said.inks.faint;
      ctx.lineWidth = ratio;
      ctx.setLineDash([2 * ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(x, box.top);
      ctx.lineTo(x, box.top + box.height);
      ctx.stroke();
      if (x > free) {
        ctx.fillText(mark.text, x + 3 * ratio, box.top + 1);
        free = x + ctx.measureText(mark.text).width + 8 * ratio;
      }
    }
    for (const line of said.lines) paint(ctx, line, field, ratio);
    this.drawPeaks(ctx, box, at, ratio);
    ctx.restore();
  }

  /** Labels of peaks, each where there is room. @param {CanvasRenderingContext2D} ctx @param {{left: number, top: number, width: number, height: number}} box @param {(x: number) => number} at @param {number} ratio */
  drawPeaks(ctx, box, at, ratio) {
    const { said, y } = this;
    /** @type {{x: number, y: number, w: number}[]} */
    const taken = [];
    const high = 13 * ratio;
    ctx.setLineDash([]);
    for (const peak of said.peaks) {
      const x = at(peak.x);
      const part = said.log ? Math.log(peak.y / y[0]) / Math.log(y[1] / y[0]) : (peak.y - y[0]) / (y[1] - y[0]);
      if (x < box.left || x > box.left + box.width) continue;
      const w = ctx.measureText(peak.text).width;
      const left = x + 5 * ratio + w > box.left + box.width ? x - 5 * ratio - w : x + 5 * ratio;
      const top = Math.max(box.top + high, box.top + box.height * (1 - part) - high / 2);
      if (taken.some((t) => left < t.x + t.w + 4 && left + w + 4 > t.x && Math.abs(top - t.y) < high)) continue;
      taken.push({ x: left, y: top, w });
      ctx.fillStyle = peak.colour;
      ctx.beginPath();
      ctx.arc(x, box.top + box.height * (1 - part), 2.5 * ratio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.fillStyle = said.inks.ink;
      ctx.fillText(peak.text, left, top);
    }
  }

  /** @param {uPlot} u */
  hovered(u) {
    const { left, top } = u.cursor;
    if (left === undefined || top === undefined || left < 0) return "";
    const { xFactor, xUnit, yUnit } = this.said;
    return `${figures(u.posToVal(left, "x") * xFactor, 5)} ${xUnit}, ${figures(u.posToVal(top, "y"))} ${yUnit}`;
  }

  /** Show a line at x, and a dot on each line; null where there is none. @param {number | null} x @param {([number, number] | null)[]} places in shown units */
  now(x, places) {
    this.shown = x;
    this.places = places;
    this.place();
  }

  place() {
    const { uplot, said, shown, line } = this;
    line.hidden = shown === null || !(shown >= said.x[0] && shown <= said.x[1]);
    if (shown !== null && !line.hidden) line.style.transform = `translateX(${uplot.valToPos(shown, "x") - 0.75}px)`;
    this.dots.forEach((dot, k) => {
      const place = this.places[k];
      dot.hidden = !place || Number.isNaN(place[0] + place[1]);
      if (place && !dot.hidden) dot.style.transform = `translate(${uplot.valToPos(place[0], "x")}px, ${uplot.valToPos(place[1], "y")}px)`;
    });
  }

  destroy() {
    this.uplot.destroy();
  }
}

/** Ticks of a logarithmic axis: powers of ten; 1, 2 and 5 of each where there are few. @param {uPlot} _u @param {number} _axis @param {number} low @param {number} high */
function logTicks(_u, _axis, low, high) {
  const decades = Math.log10(high / low);
  const figures = decades < 0.7 ? [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9] : decades < 3 ? [1, 2, 5] : [1];
  /** @type {number[]} */
  const ticks = [];
  for (let n = Math.floor(Math.log10(low)); 10 ** n <= high; n++) for (const f of figures) if (f * 10 ** n >= low && f * 10 ** n <= high) ticks.push(f * 10 ** n);
  return ticks;
}

/** uPlot leaves out most ticks of logarithmic axes; ours are few already. @param {uPlot} _u @param {number[]} ticks */
const all = (_u, ticks) => ticks;

/** @param {(number | null)[]} ticks */
function logTexts(ticks) {
  return ticks.map((t) => (t === null ? "" : t >= 1e-3 && t < 1e5 ? String(Number(t.toPrecision(3))) : sign(t.toExponential(0))));
}
