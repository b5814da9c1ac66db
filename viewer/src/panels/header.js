// What is shown: its title, its record, its state in words; warnings and notes; panels, colours and help.
// @ts-check
import { h, icon, iconButton } from "../dom.js";
import { figures, timeAxis } from "../format.js";
import { recordName } from "../plots/curves.js";
import { span } from "../time/span.js";
import { help } from "./help.js";

/** @typedef {import("../main.js").App} App */

/** @param {App} app */
export function header(app) {
  const { store, regions } = app;
  const title = h("b", {});
  const chooser = h("select", { id: "record", "aria-label": "Record", onchange: () => store.set({ record: Number(chooser.value) }) });
  const about = h("span", { id: "about" });
  const messages = messagesOf(app);
  regions.header.append(h("h1", { id: "title" }, title), chooser, about, h("span", { className: "gap" }), messages.button, ...folds(app), theme(app), help());
  function fill() {
    const { head } = app.block;
    document.title = head.title;
    title.textContent = title.title = head.title;
    chooser.replaceChildren(...app.blocks.map((_, k) => new Option(recordName(app, k), String(k), false, k === store.state.record)));
    chooser.hidden = app.blocks.length < 2;
    about.textContent = about.title = said(app);
    about.classList.toggle("alarm", head.status !== "" && head.status !== "completed");
    messages.fill();
  }
  store.on(["record", "records"], fill);
  fill();
}

/** The record in a line: "dynamics, completed, 401 samples to 0.2 s; pitchline 1.0". @param {App} app */
function said(app) {
  const { head } = app.block;
  const { to } = span(app.block), { unit } = timeAxis(app.block);
  const parts = [head.kind === "built" ? "as built, not run" : head.kind, head.status];
  if (head.kind !== "built" && !head.linear) parts.push(head.samples === 0 && head.signals.length === 0 && head.linear ? "" : head.samples === 0 ? "no samples" : head.samples === 1 ? "1 sample" : `${head.samples} samples to ${unit === "s" ? seconds(to) : `${Number(to.toPrecision(5))} ${unit}`}`);
  return parts.filter(Boolean).join(", ") + (head.version ? `; pitchline ${head.version}` : "");
}

/** @param {number} t */
const seconds = (t) => (Math.abs(t) >= 1e-3 || t === 0 ? `${Number(t.toPrecision(5))} s` : `${figures(t * 1e6)} µs`);

/** Warnings, notes and the message of a run that failed, behind a button with their number. @param {App} app */
function messagesOf(app) {
  const dialog = h("dialog", { id: "messages", "aria-label": "Warnings and notes" });
  const button = h("button", { id: "show-messages", type: "button", className: "tool", onclick: () => dialog.showModal() });
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  document.body.append(dialog);
  function fill() {
    const { message, warnings, notes, status } = app.block.head;
    const failed = message && status !== "completed" ? [message] : [];
    const alarms = failed.length + warnings.length, count = alarms + notes.length;
    const label = [alarms ? `${alarms} ${alarms === 1 ? "warning" : "warnings"}` : "", notes.length ? `${notes.length} ${notes.length === 1 ? "note" : "notes"}` : ""].filter(Boolean).join(", ");
    button.hidden = count === 0;
    button.classList.toggle("alarm", alarms > 0);
    button.title = label;
    button.setAttribute("aria-label", label);
    button.replaceChildren(icon(alarms ? "warning" : "note"), String(count));
    const list = (/** @type {string} */ heading, /** @type {string[]} */ texts) => (texts.length ? [h("h2", {}, heading), h("ul", {}, ...texts.map((text) => h("li", {}, text)))] : []);
    dialog.replaceChildren(
      iconButton("close", "Close", () => dialog.close(), { className: "tool close" }),
      ...list(`The run: ${status}`, failed), ...list("Warnings", warnings), ...list("Notes on this view", notes),
    );
  }
  return { button, fill };
}

/** A button for each panel, to fold and open it. @param {App} app */
function folds(app) {
  const { panels } = app.regions;
  const said = /** @type {const} */ ([["parts", "left", "Parts"], ["plot", "below", "Plot"], ["side", "right", "Selected part and signals"]]);
  const buttons = said.map(([name, sign, label]) => iconButton(sign, `Show or hide: ${label}`, () => panels.toggle(name), { className: "tool fold", id: `fold-${name}` }));
  const say = () => buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(panels.open(said[k][0]))));
  panels.watch(say);
  say();
  return buttons;
}

/** Light, dark, or as the system says. @param {App} app */
function theme(app) {
  const { store } = app;
  const button = iconButton("theme", "", () => {
    const order = /** @type {const} */ (["system", "light", "dark"]);
    store.set({ theme: order[(order.indexOf(store.state.theme) + 1) % 3] });
  }, { id: "theme" });
  function say() {
    const { theme: now } = store.state;
    document.documentElement.dataset.theme = now;
    button.title = `Colours: ${now === "system" ? "as the system" : now}`;
    button.setAttribute("aria-label", button.title);
    app.redraw();
  }
  store.on(["theme"], say);
  say();
  return button;
}
