// Modes, Campbell diagrams and frequency responses: their tables and plots side by side, and the motion of what is chosen in them.
// @ts-check
import { h } from "../dom.js";
import { bodeChart } from "../linear/bode.js";
import { campbellChart } from "../linear/campbell.js";
import { card } from "../linear/card.js";
import { Choice } from "../linear/choice.js";
import { controls } from "../linear/controls.js";
import { Finding, isLinear, short } from "../linear/findings.js";
import { modeTable } from "../linear/mode_table.js";
import { Vibration } from "../world/modes.js";

/** @typedef {{finding: Finding, element: HTMLElement, mark: (chosen: import("../linear/choice.js").Chosen | null, frequency: number) => void, redraw: () => void}} LinearView */
/** Two frequencies that are one for the eye, relative to their size. */
const NEAR = 0.02;
const STEP = 1 / 24; // of a period, with the arrow keys

/** @param {import("../main.js").App} app */
export function linearPanel(app) {
  const { store, regions } = app;
  const choice = new Choice({ record: -1, row: -1, column: -1, output: 0, phase: 0, playing: false, pace: 0.5, amplitude: 1, ghost: true, painted: false });
  const bar = controls(choice);
  const region = h("div", { id: "linear", className: "linear" }), side = h("section", { id: "chosen", className: "linear", "aria-live": "polite" });
  regions.plot.append(region);
  regions.side.prepend(side);
  regions.footer.append(bar.element);
  /** @type {Map<number, LinearView>} */
  const views = new Map();
  /** What was last chosen in each record. @type {Map<number, {row: number, column: number, output: number}>} */
  const before = new Map();
  /** @type {Vibration | undefined} */
  let vibration;
  let factor = 0, most = 0;

  /** Show a shape of a record; the user did it, so that it moves. @param {number} record @param {{row?: number, column?: number, output?: number}} what */
  function choose(record, what) {
    before.set(record, { ...(before.get(record) ?? first(view(record).finding)), ...what });
    if (record !== store.state.record) store.set({ record });
    const playing = choice.state.playing || !matchMedia("(prefers-reduced-motion: reduce)").matches;
    choice.set({ record, ...before.get(record), playing });
  }

  /** @param {number} record @returns {LinearView} */
  function view(record) {
    const known = views.get(record);
    if (known) return known;
    const made = madeView(new Finding(app.blocks[record], record), choose);
    views.set(record, made);
    return made;
  }

  function enter() {
    const { record } = store.state;
    vibration?.end();
    vibration = undefined;
    const linear = isLinear(app.block);
    document.body.classList.toggle("linear-record", linear);
    if (!linear) {
      app.world?.busy.delete("vibration");
      return choice.set({ record: -1, playing: false });
    }
    arrange();
    if (app.world) vibration = new Vibration(view(record).finding, app.world);
    const chosen = before.get(record) ?? first(view(record).finding);
    before.set(record, chosen);
    choice.set({ record, ...chosen });
    show();
  }

  /** All that is known of the same model side by side. */
  function arrange() {
    if (!isLinear(app.block)) return;
    const shown = [...app.blocks.keys()].filter((k) => isLinear(app.blocks[k]) && app.blocks[k].head.title === app.block.head.title).map(view);
    region.replaceChildren(...shown.map(({ element }) => element));
    for (const v of shown) v.element.classList.toggle("current", v.finding.record === store.state.record);
  }

  /** Everything that depends on what is chosen. */
  function show() {
    const { state } = choice, { finding } = view(state.record);
    const has = finding.has(state.row, state.column);
    const frequency = has || finding.analysis === "modes" ? finding.frequencyOf(state.row, state.column) : NaN;
    for (const v of views.values()) v.mark(v.finding.record === state.record ? state : null, v.finding.title === finding.title ? frequency : NaN);
    side.replaceChildren(...card(finding, state));
    if (!vibration) return bar.say("", false);
    factor = has ? vibration.factor(state.row, state.column) : 0;
    most = has ? vibration.sizes(state.row, state.column).most : 0;
    vibration.paint(state.row, state.column, state.painted && factor > 0);
    move();
  }

  /** The bodies at the phase that is chosen. */
  function move() {
    const { row, column, phase, amplitude, ghost } = choice.state;
    if (!vibration) return;
    const size = factor * amplitude;
    vibration.ghost.visible = ghost && factor > 0;
    vibration.show(row, column, phase, size);
    const { finding } = vibration;
    bar.say(factor ? drawn(finding, size, size * most) : "no shape to draw", factor > 0);
  }

  choice.on((state, changed) => {
    if (state.record !== store.state.record) return;
    if (["record", "row", "column", "output", "painted"].some((key) => changed.has(/** @type {any} */ (key)))) show();
    else if (["phase", "amplitude", "ghost"].some((key) => changed.has(/** @type {any} */ (key)))) move();
    if (!changed.has("playing")) return;
    app.world?.busy[state.playing ? "add" : "delete"]("vibration"); // pictures follow each other at once
    if (state.playing) play();
    else app.redraw();
  });

  let last = 0, running = false;
  function play() {
    if (running) return;
    running = true;
    last = performance.now();
    requestAnimationFrame(step);
  }
  /** @param {number} now */
  function step(now) {
    running = choice.state.playing && factor > 0;
    if (!running) return choice.set({ playing: false });
    const passed = Math.min(Math.max(now - last, 0), 250) / 1000;
    last = now;
    choice.set({ phase: (choice.state.phase + passed * choice.state.pace) % 1 });
    requestAnimationFrame(step);
  }

  document.addEventListener("keydown", (e) => {
    if (!document.body.classList.contains("linear-record") || e.ctrlKey || e.altKey || e.metaKey || e.defaultPrevented) return;
    const target = e.target instanceof HTMLElement ? e.target : document.body;
    if (target.matches("input:not([type=checkbox]):not([type=range]), select, textarea, dialog *")) return;
    const way = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (e.key === " " && !target.matches("button, input, summary, a, [role=tree], [role=treeitem]")) choice.set({ playing: !choice.state.playing });
    else if (way && !target.matches("input, [role=application], [role=tree], [role=treeitem], [role=separator]")) choice.set({ playing: false, phase: (choice.state.phase + way * STEP + 1) % 1 });
    else return;
    e.preventDefault();
    e.stopPropagation(); // the time line does not take it
  }, true);
  store.on(["record"], enter);
  store.on(["records"], arrange);
  store.on(["theme"], () => views.forEach((v) => v.redraw()));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => views.forEach((v) => v.redraw()));
  Object.assign(app, { linear: choice }); // for tests
  enter();
}

/** What is chosen before the user chose anything. @param {Finding} finding */
function first(finding) {
  if (finding.analysis === "modes") return { row: 0, column: Math.min(finding.said.rigid, finding.count - 1), output: 0 };
  if (finding.analysis === "campbell") return { row: finding.rows >> 1, column: 0, output: 0 };
  const size = /** @type {Float64Array} */ (finding.block.array(finding.said.magnitude));
  let row = 0;
  finding.at.forEach((at, k) => { if (size[at] > size[finding.at[row]]) row = k; });
  return { row, column: 0, output: 0 };
}

/** @param {Finding} finding @param {(record: number, what: {row?: number, column?: number, output?: number}) => void} choose @returns {LinearView} */
function madeView(finding, choose) {
  const { record, analysis } = finding;
  const frame = (/** @type {HTMLElement} */ content) => h("section", { className: `linear-result ${analysis}`, "aria-label": finding.name }, h("h2", {}, TITLES[analysis]), content);
  if (analysis === "modes") {
    const table = modeTable(finding, (column) => choose(record, { column }));
    return { finding, element: frame(table.element), redraw: () => {}, mark: (chosen, f) => table.mark(chosen ? chosen.column : -1, chosen ? -1 : near(finding, f)) };
  }
  if (analysis === "campbell") {
    const chart = campbellChart(finding, (row, column) => choose(record, { row, column }));
    return { finding, element: frame(chart.element), redraw: chart.redraw, mark: (chosen, f) => chart.mark(chosen ? chosen.row : -1, chosen ? chosen.column : -1, f) };
  }
  const chart = bodeChart(finding, (row) => choose(record, { row }), (column, output) => choose(record, { column, output }));
  return {
    finding, element: frame(chart.element), redraw: chart.redraw,
    mark(chosen, f) {
      if (chosen) chart.show(chosen.column, chosen.output);
      chart.mark(f);
    },
  };
}

const TITLES = { modes: "Modes", campbell: "Campbell diagram", response: "Frequency response" };

/** The mode of a frequency that another plot shows; -1: none. @param {Finding} finding @param {number} f [Hz] */
function near(finding, f) {
  const found = Number.isNaN(f) ? -1 : finding.modeNear(f);
  return found >= 0 && Math.abs(finding.frequency[found] - f) <= NEAR * Math.max(f, 1e-300) ? found : -1;
}

/** How large the motion is drawn, in words. @param {Finding} finding @param {number} factor @param {number} size [m] */
function drawn(finding, factor, size) {
  const [unit, scale] = size < 1e-4 ? ["µm", 1e6] : size < 1 ? ["mm", 1e3] : ["m", 1];
  const text = `largest motion drawn: ${short(size * Number(scale), 2)} ${unit}`;
  return finding.analysis === "response" ? `${text} (${short(factor, 2)} × that of a unit input)` : text;
}
