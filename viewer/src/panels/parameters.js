// Parameters of the model, in a drawer: a form to change and run where a local server answers, values to read in a page of one file.
// @ts-check
import { h } from "../dom.js";
import { parameterForm } from "../run/form.js";
import { RunLink } from "../run/link.js";
import { runList } from "../run/run_list.js";
import { ServedSource } from "../served_source.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("../run/link.js").Run} Run */

/** @param {App} app */
export function parametersPanel(app) {
  const { source } = app;
  const link = source instanceof ServedSource ? new RunLink(source) : null;
  const body = h("div", {});
  const close = h("button", { type: "button", className: "tool close", title: "Close", "aria-label": "Close", onclick: () => open(false) }, "✕");
  const drawer = h("section", { id: "parameters", hidden: true, "aria-label": "Parameters", onkeydown: (/** @type {KeyboardEvent} */ e) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    open(false);
  } }, h("header", {}, h("h2", {}, "Parameters"), close), body);
  const button = h("button", { id: "show-parameters", type: "button", className: "tool", "aria-controls": "parameters", "aria-expanded": "false", onclick: () => open(drawer.hidden !== false) }, link ? "Change and run" : "Parameters");
  document.body.append(drawer);
  app.regions.header.querySelector(".gap")?.after(button);
  let filled = false, covered = false;

  /** When it is first opened: the server then reads the model, which looking at results does not need. */
  async function fill() {
    if (filled) return;
    filled = true;
    if (!link) return body.replaceChildren(...valuesParts(app, ""));
    body.replaceChildren(h("p", { className: "about", role: "status" }, "Reading the model …"));
    try {
      const said = await link.form();
      body.replaceChildren(...("why" in said ? valuesParts(app, said.why) : formParts(app, link, said)));
    } catch (error) {
      filled = false;
      body.replaceChildren(h("p", { className: "wrong", role: "alert" }, error instanceof Error ? error.message : String(error)));
    }
  }

  /** @param {boolean} shown */
  async function open(shown) {
    drawer.hidden = !shown;
    document.body.classList.toggle("with-parameters", shown);
    button.setAttribute("aria-expanded", String(shown));
    // three columns beside the view leave it no room in a usual window: the form takes the place of the signals
    const { panels } = app.regions;
    if (shown && innerWidth > 1000 && innerWidth < 1500 && panels.open("side")) panels.set("side", !(covered = true));
    else if (!shown && covered) panels.set("side", !(covered = false));
    if (!shown) return button.focus();
    close.focus();
    await fill();
    if (document.activeElement === close) /** @type {HTMLElement | null} */ (body.querySelector(".field input, .field select"))?.focus();
  }
  function there() {
    button.hidden = !link && !app.block.head.parameters.length;
    if (button.hidden && !drawer.hidden) void open(false);
  }
  app.store.on(["record"], there);
  there();
}

/** Values of the record that is shown. @param {App} app @param {string} why No model can be run. */
function valuesParts(app, why) {
  const rows = h("dl", { className: "values" });
  function fill() {
    rows.replaceChildren(...app.block.head.parameters.flatMap(({ name, value, unit, text, formula }) => [
      h("dt", {}, name),
      h("dd", {}, h("span", {}, unit ? `${value} ${unit}` : value), h("small", {}, [text, formula].filter(Boolean).join("; "))),
    ]));
  }
  app.store.on(["record"], fill);
  fill();
  const how = h("p", { className: "about", id: "how-to-run" });
  how.append(...(why ? [why] : ["This page contains computed results only. To change parameters and run the model, start it with ", h("code", {}, "pitchline view MODEL.toml"), "."]));
  return [rows, how];
}

/** The form and the runs. @param {App} app @param {RunLink} link @param {import("../run/link.js").Form} said */
function formParts(app, link, said) {
  /** @type {Set<number>} */
  const ended = new Set();
  const runs = runList({ show, stop: () => link.stop().then(tell), save, called: (k) => app.blocks[k]?.head.name ?? "" }, said);
  const form = parameterForm(said, async (values) => {
    const run = await link.run(values);
    tell(run);
    void follow();
  });
  const source = h("p", { className: "about" }, `${said.source} is not changed. Changed models and results are saved under other names in ${said.folder}.`);
  for (const run of said.runs) runs.tell(run);
  if (said.runs.some(underWay)) void follow();
  return [source, form.form, runs.section];

  /** An answer may come behind the event that the run has ended. @param {Run} run */
  function tell(run) {
    if (ended.has(run.run)) return;
    if (!underWay(run)) ended.add(run.run);
    runs.tell(run);
    form.free(!underWay(run));
  }

  /** Until the run ends; what it found is then shown beside what was there. */
  async function follow() {
    try {
      /** @type {Run | undefined} */
      let last;
      for await (const run of link.progress()) tell((last = run));
      if (last?.records.length) {
        await take();
        show(last, false);
      }
    } catch (error) {
      form.show(error);
    }
  }

  /** Records that the page does not have yet. */
  async function take() {
    const there = await app.source.records();
    for (let k = app.blocks.length; k < there.length; k++) app.add(await app.source.block(k));
  }

  /** @param {Run} run @param {boolean} compared */
  function show(run, compared) {
    const record = run.records[0];
    if (record >= app.blocks.length) return;
    app.store.set(compared ? { record, overlay: true } : { record });
  }

  /** @param {Run} run @param {"model" | "result"} what @param {string} name @param {number} [record] */
  async function save(run, what, name, record) {
    return (await link.save(run.run, what, name, record)).saved;
  }
}

/** @param {Run} run */
const underWay = (run) => run.state === "running" || run.state === "stopping";
