// The plot below the view: one chart a unit, with the time that is shown as a line and a legend with the values at it.
// @ts-check
import { h, iconButton } from "../dom.js";
import { figures, timeAxis } from "../format.js";
import { firstCurves } from "../panels/signals.js";
import { curvesOf } from "../signal_names.js";
import { span } from "../time/span.js";
import { bandAt } from "../values.js";
import { axisWidth, Chart } from "./chart.js";
import { samplesOf, shownCurves, Slots } from "./curves.js";
import { keep, keepPicture, picture, table } from "./export.js";
import { amplitudes, fft, peaksOf } from "./fft.js";
import { valueRange } from "./paint.js";
import { overFrequency, overSignal, overTime, placeAt } from "./rows.js";
import { toolbar } from "./toolbar.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("./rows.js").Figure} Figure */
/** @typedef {import("./curves.js").Curve} Curve */

const LEAST = 56; // height of a chart without the texts of its horizontal axis [px]
const AXIS = 36; // height of these [px]
const LEGEND = [220, 310]; // width of the legend beside it, in a smaller and a larger window [px]
const ROUNDING = 1e-12; // [unit of a chart]
const DELAY = 60; // a server is asked when a movement of the mouse has come to rest [ms]

/** @param {App} app */
export function plotPanel(app) {
  const { store, source, regions } = app;
  const slots = new Slots();
  const charts = h("div", { id: "charts", tabIndex: 0, role: "group", "aria-label": "Curves. Arrow up: zoom in about the time; arrow down: zoom out; Backspace: back; 0: all" });
  /** What is shown of the axis of frequencies or orders. @type {import("./zoom.js").Range} */
  let lines = null;
  const timeZoom = new Zoom(() => store.state.range, (range) => store.set({ range }));
  const lineZoom = new Zoom(() => lines, (range) => { lines = range; update(); });
  const frequencies = () => store.state.plot === "spectrum" || store.state.plot === "orders";
  const zoom = () => (frequencies() ? lineZoom : timeZoom);
  const inks = Object.fromEntries(["ink", "faint", "grid", "back"].map((name) => [name, h("i", { className: `probe ${name}`, hidden: true })]));
  /** @param {string} name */
  const ink = (name) => getComputedStyle(inks[name]).color;
  const file = (/** @type {string} */ end) => `${app.block.head.title} ${app.block.head.name} ${store.state.plot}.${end}`;
  const bar = toolbar(app, {
    back: () => zoom().back(),
    all: () => zoom().to(null),
    csv: () => { if (figure) keep(new Blob([table(figure, axisName(app, figure))], { type: "text/csv" }), file("csv")); },
    png: () => { if (figure?.rows.length) keepPicture(picture(charts, figure, ink("back"), ink("ink")), file("png")); },
    view: () => {
      app.world.draw(); // in the same task: the browser clears the canvas afterwards
      keepPicture(app.world.canvas, `${app.block.head.title} ${app.block.head.name}.png`);
    },
  });
  const { note } = bar;
  regions.plot.append(bar.bar, charts, ...Object.values(inks));

  /** @type {Figure | undefined} */
  let figure;
  /** @type {Curve[]} */
  let curves = [];
  /** @type {Map<string, import("./curves.js").Samples>} */
  let samples = new Map();
  /** Charts, none where there is a single sample, and texts of values. @type {{chart: Chart | null, values: HTMLElement[]}[]} */
  let drawn = [];

  /** All times of the records that are drawn. @returns {[number, number]} */
  function wholeTime() {
    const spans = [...new Set(curves.map((c) => c.record))].map((record) => span(app.blocks[record]));
    const from = Math.min(...spans.map((s) => s.from)), to = Math.max(...spans.map((s) => s.to));
    return from < to ? [from, to] : Number.isFinite(from) ? [from - 0.5, from + 0.5] : [0, 1];
  }

  let asked = 0;
  async function update() {
    const turn = (asked += 1);
    const dark = luminance(ink("back")) < 0.5;
    curves = shownCurves(app, slots, dark);
    const whole = wholeTime(), { range: zoomed, plot, over, reference } = store.state;
    const range = /** @type {[number, number]} */ (zoomed ? [...zoomed] : whole);
    if (source.live) {
      await new Promise((done) => setTimeout(done, DELAY));
      if (turn !== asked) return;
    }
    const extra = plot === "over" ? over : plot === "orders" ? reference : "";
    const wanted = curves.flatMap((c) => [c, { record: c.record, name: extra }]).filter(({ record, name }) => curvesOf(app.blocks[record]).has(name));
    try {
      const columns = plot === "time" ? Math.max(Math.round(regions.plot.clientWidth * devicePixelRatio), 400) : Infinity;
      const got = await samplesOf(app, wanted, range[0], range[1], columns);
      if (turn !== asked) return; // a later question has been put
      samples = got;
      figure = plot === "time" ? overTime(app, curves, samples, range, whole) : plot === "over" ? overSignal(app, curves, samples, range) : overFrequency(app, curves, samples, range, lines);
      draw();
    } catch (error) {
      if (turn !== asked) return;
      say([error instanceof Error ? error.message : String(error)]);
    }
  }

  function draw() {
    for (const { chart } of drawn) chart?.destroy();
    drawn = [];
    charts.replaceChildren();
    if (!figure || !charts.clientWidth) return; // folded away
    const { rows, notes, x, xLabel, xFactor, marks } = figure;
    const curved = rows.some((row) => row.lines.some((line) => line.x.length > 1));
    const text = curved || !rows.length || frequencies() ? "" : app.block.head.samples === 0 ? emptyText(app) : "Only one sample: values without a curve.";
    const lost = store.state.log && !frequencies() && rows.some((row) => (valueRange(row.lines, x[0], x[1], false)?.[0] ?? 1) <= 0) ? "zero and negative values are not drawn" : "";
    say([text, ...notes, lost]);
    if (!rows.length) charts.append(h("p", { className: "none" }, emptyText(app)));
    bar.back.disabled = !zoom().before.length;
    const wide = charts.clientWidth, beside = wide >= 640 && curved, aside = LEGEND[wide >= 1100 ? 1 : 0];
    const height = Math.max(LEAST, Math.floor((charts.clientHeight - AXIS - 2) / Math.max(rows.length, 1)));
    const gutter = Math.max(...rows.map((row) => axisWidth(row.lines, x, store.state.log)));
    rows.forEach((row, k) => {
      const last = k === rows.length - 1;
      const values = row.curves.map((_, i) => h("output", { className: "value" }, row.said[i] ?? ""));
      const legend = h("ul", { className: "plot-legend", "aria-label": `Curves in ${row.shown.unit || "no unit"}` }, ...row.curves.map((curve, i) => legendRow(curve, values[i])));
      const holder = h("div", { className: "plot-chart" });
      charts.append(h("div", { className: beside ? "plot-row side-legend" : "plot-row" }, beside ? holder : legend, beside ? legend : holder));
      if (!curved) return drawn.push({ chart: null, values });
      if (beside) {
        legend.style.maxHeight = `${height}px`;
        legend.style.width = `${aside}px`;
      }
      const high = Math.max(LEAST, beside ? height : height - legend.offsetHeight);
      const chart = new Chart(holder, {
        width: beside ? wide - aside : wide, height: high + (last ? AXIS : 0),
        x, xLabel: last ? xLabel : "", xFactor, xUnit: figure?.xUnit ?? "", yUnit: row.shown.unit, yLabel: row.labels.find((label) => label.length * 6 < high) ?? row.shown.unit, log: store.state.log, gutter,
        lines: row.lines, marks, peaks: row.peaks, inks: { ink: ink("ink"), faint: ink("faint"), grid: ink("grid") },
        pick: (at) => { if (store.state.plot === "time") go(at); },
        zoom: (from, to) => { if (store.state.plot !== "over") zoom().to([from, to]); },
        all: () => zoom().to(null),
        wheel: (at, factor, move) => { if (figure && store.state.plot !== "over") zoom().wheel(figure.x, figure.whole, at, factor, move); },
        hover: (said) => { bar.hover.textContent = said; },
      });
      return drawn.push({ chart, values });
    });
    // reasons why nothing is drawn stand where the curves would be
    if (!curved && rows.length) charts.append(h("p", { className: "none" }, [text, ...notes].filter(Boolean).join(" ")));
    cursor();
  }

  /** @param {string[]} texts */
  function say(texts) {
    note.textContent = note.title = texts.filter(Boolean).join("; ");
  }

  /** @param {number} t [s] */
  function go(t) {
    const { from, to } = span(app.block);
    store.set({ playing: false, time: Math.min(Math.max(t, from), to) });
  }

  /** @param {Curve} curve @param {HTMLElement} value */
  function legendRow(curve, value) {
    const swatch = h("i", { className: `swatch dash${curve.style}` });
    swatch.style.borderColor = curve.colour;
    const remove = iconButton("close", `Remove ${curve.name} from the plot`, () => store.set({ curves: store.state.curves.filter((c) => c.name !== curve.name) }), { className: "tool remove" });
    return h("li", { title: `${curve.label}: ${curve.description}` }, swatch, h("span", { className: "name" }, h("span", {}, curve.name), h("span", { className: "of" }, curve.label.slice(curve.name.length))), value, remove);
  }

  /** The line of the time, and values at it. */
  function cursor() {
    const { time, plot, over } = store.state;
    if (!figure || !drawn.length) return;
    const { xScale } = figure;
    figure.rows.forEach((row, k) => {
      const { chart, values } = drawn[k];
      chart?.now(plot === "time" ? time : null, row.curves.map((curve) => {
        const place = plot === "over" ? placeAt(samples, curve, over, time) : null;
        return place && [place.x * xScale, place.y * row.shown.factor];
      }));
      row.curves.forEach((curve, i) => {
        if (!row.said.length) values[i].textContent = inRow(bandAt(app, curve.record, curve.name, time), row.shown);
      });
    });
  }

  store.on(["curves", "overlay", "range", "plot", "over", "reference", "log", "degrees", "theme", "records"], update);
  store.on(["record"], ({ record, curves: before }) => {
    const there = curvesOf(app.block);
    const { range } = store.state, { from, to } = span(app.block);
    const kept = before.map((c) => (there.has(c.name) ? { record, name: c.name } : c));
    store.set({ curves: kept.some((c) => c.record === record) ? kept : [...kept, ...firstCurves(app, record)], range: range && range[0] < to && range[1] > from ? range : null });
  });
  const empty = () => regions.panels.nothingToPlot(app.blocks.every(({ head }) => head.kind === "built"));
  store.on(["records"], empty);
  empty();
  store.on(["plot"], () => { lines = null; lineZoom.before = []; });
  store.on(["range", "curves", "reference"], () => { lines = null; });
  store.on(["time", "arrived"], cursor);
  charts.addEventListener("keydown", (e) => {
    const factor = e.key === "ArrowUp" ? 0.8 : e.key === "ArrowDown" ? 1.25 : 0;
    if (factor && figure && store.state.plot !== "over") {
      const [from, to] = figure.x, { time } = store.state;
      const about = frequencies() ? from : time >= from && time <= to ? time : 0.5 * (from + to);
      zoom().wheel(figure.x, figure.whole, about, factor, 0);
    } else if (e.key === "Backspace") zoom().back();
    else if (e.key === "0") zoom().to(null);
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
  new ResizeObserver(() => update()).observe(charts);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
  Object.assign(app, { plotted: { figure: () => figure, charts: () => drawn.map(({ chart }) => chart), maths: { fft, amplitudes, peaksOf } } }); // for tests
}

/** @param {[number, number] | null} band @param {import("../format.js").Shown} shown */
function inRow(band, { unit, factor }) {
  if (!band) return "—";
  // the unit follows the greatest value of the chart: what is smaller than this is zero but for rounding
  const [low, high] = band.map((v) => (unit && Math.abs(v * factor) < ROUNDING ? 0 : v * factor));
  const text = low === high || Number.isNaN(low) ? figures(low) : `${figures(low)} … ${figures(high)}`;
  return unit ? `${text} ${unit}` : text;
}

/** Name and unit of the horizontal axis in the units of the file. @param {App} app @param {Figure} figure */
function axisName(app, figure) {
  const { plot, over } = app.store.state;
  const axis = timeAxis(app.block);
  if (plot === "time") return `${axis.label} (${axis.unit})`;
  if (plot === "spectrum") return axis.unit === "s" ? "frequency (Hz)" : `frequency (1/${axis.unit})`;
  return plot === "over" ? `${over} (${curvesOf(app.block).get(over)?.unit || "1"})` : figure.xLabel;
}

/** @param {App} app */
function emptyText(app) {
  const { head } = app.block;
  if (!head.signals.length) return head.kind === "built" ? "The model was not run. There are no signals to plot." : "This record has no signals over time.";
  return head.samples === 0 ? "The run has no samples to plot." : "Select signals in the list to plot them.";
}

/** 0 black, 1 white. @param {string} colour rgb(…) */
function luminance(colour) {
  const [r, g, b] = (colour.match(/[\d.]+/g) ?? ["255", "255", "255"]).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}
