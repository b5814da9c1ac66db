// Signals: found by name, chosen for the plot, with their values at the time that is shown. Only rows that are seen are made:
// a model may have many thousands.
// @ts-check
import { h } from "../dom.js";
import { written } from "../format.js";
import { curvesOf } from "../signal_names.js";
import { values as samples } from "../source.js";
import { valueText } from "../values.js";
import { partsOf, signalRows } from "./signal_rows.js";

export { valueAt, valueText } from "../values.js";

const HEIGHT = 22; // of a row [px]
const FEW = 60; // curves of a record whose parts are all open at first
const FIRST = 3; // curves to begin with
const NOISE = 1e-12; // values of what is zero but for rounding, in the units of files: a thousandth of a nanometre
const MANY = 24; // curves that can be plotted at once

/** @param {import("../main.js").App} app */
export function signalsPanel(app) {
  const { store, regions } = app;
  const find = h("input", { id: "find", type: "search", placeholder: "find, e.g. *.normal_force", "aria-label": "Find signals by name, description or unit; * matches any text", "aria-controls": "signals", oninput: () => { active = 0; list.scrollTop = 0; fill(); } });
  const count = h("span", { id: "found", role: "status" });
  const all = h("button", { id: "plot-found", type: "button", title: "Plot all matching signals, or none", onclick: () => plotFound() }, "plot all");
  const inner = h("div", { className: "all" });
  const list = h("div", { id: "signals", role: "tree", tabIndex: 0, "aria-label": "Signals" }, inner);
  regions.side.append(h("section", { id: "signal-panel", "aria-label": "Signals" }, h("h2", {}, "Signals", count, all), find, list));

  /** Parts that were opened or closed by hand. @type {Map<string, boolean>} */
  const byHand = new Map();
  /** @type {import("./signal_rows.js").Row[]} */
  let rows = [];
  let active = 0;
  /** Texts of values that are seen. @type {{name: string, out: HTMLElement}[]} */
  let seen = [];

  function fill() {
    const { selected, curves } = store.state;
    const belongs = partsOf(app.block, selected);
    const plotted = new Set(curves.map((c) => curvesOf(app.block).get(c.name)?.part));
    const total = curvesOf(app.block).size;
    const made = signalRows(app.block, find.value, selected, (part) => byHand.get(part) ?? (total <= FEW || belongs(part) || plotted.has(part)));
    rows = made.rows;
    active = Math.min(active, Math.max(rows.length - 1, 0));
    count.textContent = find.value.trim() ? `${made.found} of ${total}` : String(total);
    all.hidden = !find.value.trim() || !made.found || made.found > MANY;
    inner.style.height = `${Math.max(rows.length, 1) * HEIGHT}px`;
    show();
  }

  /** Make the rows that are seen. */
  function show() {
    const from = Math.max(Math.floor(list.scrollTop / HEIGHT) - 4, 0), to = Math.min(Math.ceil((list.scrollTop + list.clientHeight) / HEIGHT) + 4, rows.length);
    seen = [];
    const plotted = new Set(store.state.curves.map((c) => c.name));
    const made = [];
    for (let k = from; k < to; k++) {
      const said = rows[k];
      const row = said.curve ? curveRow(said.curve, plotted) : partRow(said);
      row.id = `signal-row-${k}`;
      row.classList.toggle("active", k === active);
      row.style.top = `${k * HEIGHT}px`;
      row.addEventListener("click", () => { active = k; act(k); });
      made.push(row);
    }
    if (!rows.length) made.push(h("p", { className: "none" }, curvesOf(app.block).size ? "Nothing found." : "This record has no signals."));
    inner.replaceChildren(...made);
    if (rows.length) list.setAttribute("aria-activedescendant", `signal-row-${active}`);
    values();
  }

  /** @param {{part: string, count: number, open: boolean, chosen: boolean}} row */
  function partRow({ part, count: n, open, chosen }) {
    return h("div", { className: `signal-part${chosen ? " chosen" : ""}`, role: "treeitem", "aria-level": "1", "aria-expanded": String(open), title: part }, h("i", { className: "arrow" }), h("span", { className: "name" }, part || "model"), h("span", { className: "count" }, String(n)));
  }

  /** @param {import("../signal_names.js").CurveSaid} curve @param {Set<string>} plotted */
  function curveRow(curve, plotted) {
    const on = plotted.has(curve.name);
    const box = h("input", { type: "checkbox", tabIndex: -1, checked: on, "aria-hidden": "true" });
    const out = h("output", {});
    seen.push({ name: curve.name, out });
    const unit = written(curve.unit);
    return h("div", { className: "signal", role: "treeitem", "aria-level": "2", "aria-checked": String(on), "aria-label": `${curve.name}, ${curve.signal.description}`, title: `${curve.name}${unit ? ` (${unit})` : ""}: ${curve.signal.description}` }, box, h("span", { className: "name" }, curve.own), out);
  }

  /** All that was found into the plot; out of it where all are in it. */
  function plotFound() {
    const { curves, record } = store.state, plotted = new Set(curves.map((c) => c.name));
    const found = rows.flatMap((row) => (row.curve ? [row.curve.name] : [])), missing = found.filter((name) => !plotted.has(name));
    store.set({ curves: missing.length ? [...curves, ...missing.map((name) => ({ record, name }))] : curves.filter((c) => !found.includes(c.name)) });
  }

  /** Plot a curve or not; open a part or close it. @param {number} k */
  function act(k) {
    const row = rows[k];
    if (!row) return;
    if (row.curve) {
      const { name } = row.curve, { curves, record } = store.state;
      store.set({ curves: curves.some((c) => c.name === name) ? curves.filter((c) => c.name !== name) : [...curves, { record, name }] });
      return;
    }
    byHand.set(row.part, !row.open);
    fill();
  }

  function values() {
    const { time, record } = store.state;
    for (const { name, out } of seen) out.textContent = valueText(app, record, name, time);
  }

  /** @param {number} k */
  function move(k) {
    active = Math.min(Math.max(k, 0), rows.length - 1);
    const top = active * HEIGHT;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + HEIGHT - list.clientHeight;
    show();
  }

  find.addEventListener("keydown", (e) => {
    if (e.key === "ArrowDown" && rows.length) {
      list.focus();
      const first = rows.findIndex((row) => row.curve);
      move(Math.max(first, 0));
      e.preventDefault();
    } else if (e.key === "Escape" && find.value) {
      find.value = "";
      fill();
      e.stopPropagation();
    }
  });
  list.addEventListener("keydown", (e) => {
    const page = Math.max(Math.floor(list.clientHeight / HEIGHT) - 1, 1), row = rows[active];
    if (e.key === "ArrowDown") move(active + 1);
    else if (e.key === "ArrowUp") active === 0 ? find.focus() : move(active - 1);
    else if (e.key === "PageDown") move(active + page);
    else if (e.key === "PageUp") move(active - page);
    else if (e.key === "Home") move(0);
    else if (e.key === "End") move(rows.length - 1);
    else if (e.key === " " || e.key === "Enter") act(active);
    else if (e.key === "ArrowRight" && row && !row.curve && !row.open) act(active);
    else if (e.key === "ArrowLeft" && row && !row.curve && row.open) act(active);
    else if (e.key === "ArrowLeft" && row?.curve) move(rows.findIndex((r) => !r.curve && r.part === row.part));
    else if (e.key !== "ArrowRight" && e.key !== "ArrowLeft") return;
    e.preventDefault();
  });
  list.addEventListener("scroll", show);
  new ResizeObserver(show).observe(list);
  store.on(["selected"], () => { active = 0; list.scrollTop = 0; fill(); });
  store.on(["record", "curves"], fill);
  store.on(["time", "arrived", "degrees"], values);
  store.set({ curves: firstCurves(app, store.state.record) });
  fill();
}

/** Whether a signal is zero throughout, but for rounding, as forces of pairs that only roll are; of a server it is not known yet. @param {import("../data.js").Block} block @param {string} name */
function silent(block, name) {
  if (curvesOf(block).get(name)?.signal.values === undefined) return false;
  const { low, high } = samples(block, name);
  const none = (/** @type {number} */ v) => Math.abs(v) < NOISE;
  return low.every(none) && high.every(none);
}

/** Curves of a record to begin with: forces of the first gear pairs, where there are any, else a transmission error, else the first signal of one value. @param {import("../main.js").App} app @param {number} record */
export function firstCurves(app, record) {
  const block = app.blocks[record], all = curvesOf(block);
  let names = block.head.pairs.map((pair) => `${pair.name}.normal_force`).filter((name) => all.has(name) && !silent(block, name)).slice(0, FIRST);
  const ends = (/** @type {string} */ end) => [...all.keys()].filter((name) => name.endsWith(end) && !silent(block, name)).slice(0, 1);
  if (!names.length) names = ends(".transmission_error");
  if (!names.length) names = [...all.values()].filter((c) => !c.signal.components.length && !silent(block, c.name)).slice(0, 1).map((c) => c.name);
  if (!names.length) names = [...all.keys()].slice(0, 1);
  return names.map((name) => ({ record, name }));
}
