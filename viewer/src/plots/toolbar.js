// The controls above the charts.
// @ts-check
import { h } from "../dom.js";
import { curvesOf } from "../signal_names.js";
import { referencesOf } from "./spectrum.js";

/** @typedef {import("../main.js").App} App */

const KINDS = /** @type {const} */ ([["time", "Time"], ["over", "Over signal"], ["spectrum", "Spectrum"], ["orders", "Orders"]]);

/**
 * @param {App} app @param {{back: () => void, all: () => void, csv: () => void, png: () => void, view: () => void}} act
 */
export function toolbar(app, act) {
  const { store } = app;
  const kinds = KINDS.map(([kind, text]) => h("button", { type: "button", id: `plot-${kind}`, onclick: () => store.set({ plot: kind }) }, text));
  const names = h("datalist", { id: "plot-names" });
  const over = h("input", { id: "over-signal", type: "search", placeholder: "horizontal: a signal", "aria-label": "Signal on the horizontal axis", onchange: chosen });
  over.setAttribute("list", "plot-names");
  const reference = h("input", { id: "order-reference", type: "search", placeholder: "counted by: speed, angle or mesh", "aria-label": "Reference of the orders", onchange: chosen });
  reference.setAttribute("list", "plot-names");
  const check = (/** @type {"log" | "degrees" | "overlay"} */ key, /** @type {string} */ text, /** @type {string} */ title) => {
    const box = h("input", { type: "checkbox", id: `plot-${key}`, onchange: () => store.set({ [key]: box.checked }) });
    return { box, label: h("label", { title }, box, text), key };
  };
  const checks = [
    check("overlay", "all records", "Draw the same signals of all records, each with its own line style"),
    check("degrees", "rpm, °", "Angular velocities in rpm, angles in degrees"),
    check("log", "log", "Logarithmic vertical axes"),
  ];
  const back = h("button", { type: "button", id: "zoom-back", title: "Previous range", onclick: act.back }, "Back");
  const all = h("button", { type: "button", id: "zoom-all", title: "Show all (double click)", onclick: act.all }, "All");
  const hover = h("output", { id: "plot-hover", "aria-label": "Position of the pointer" });
  const note = h("span", { id: "plot-note", role: "status" });
  const csv = h("button", { type: "button", id: "save-csv", title: "Save the visible curves as a table (CSV)", onclick: act.csv }, "CSV");
  const png = h("button", { type: "button", id: "save-png", title: "Save the charts as a picture (PNG)", onclick: act.png }, "PNG");
  const view = h("button", { type: "button", id: "save-view", title: "Save the 3D view as a picture (PNG)", onclick: act.view }, "3D PNG");
  view.hidden = !app.world;
  const bar = h("div", { id: "plot-bar", role: "toolbar", "aria-label": "Plot" },
    h("span", { className: "choice", role: "group", "aria-label": "Drawn over" }, ...kinds), over, reference, names,
    ...checks.map((c) => c.label), back, all, hover, note, csv, png, view);

  function chosen() {
    for (const field of [over, reference]) {
      const key = field === over ? "over" : "reference";
      const known = field.value === "" || options(key).includes(field.value);
      field.setAttribute("aria-invalid", String(!known));
      if (known) store.set({ [key]: field.value });
    }
  }
  /** @param {"over" | "reference"} key */
  const options = (key) => (key === "over" ? [...curvesOf(app.block).keys()] : referencesOf(app.block));
  function say() {
    const { plot, records } = store.state;
    kinds.forEach((button, k) => button.setAttribute("aria-pressed", String(KINDS[k][0] === plot)));
    over.hidden = plot !== "over";
    reference.hidden = plot !== "orders";
    for (const { box, label, key } of checks) {
      box.checked = store.state[key];
      label.hidden = key === "overlay" && records < 2;
    }
    const listed = `${plot} ${store.state.record}`;
    if ((plot === "over" || plot === "orders") && names.dataset.of !== listed) {
      names.dataset.of = listed;
      names.replaceChildren(...options(plot === "over" ? "over" : "reference").map((name) => new Option(name, name)));
    }
    over.value = store.state.over;
    reference.value = store.state.reference;
  }
  store.on(["plot"], ({ plot }) => {
    if (plot === "orders" && !store.state.reference) store.set({ reference: referencesOf(app.block)[0] ?? "" });
    if (plot === "over" && !store.state.over) store.set({ over: curvesOf(app.block).keys().next().value ?? "" });
  });
  store.on(["plot", "records", "record", "log", "degrees", "overlay", "over", "reference"], say);
  say();
  return { bar, hover, note, back };
}
