// The runs of this page: how far the present one is, and what can be done with those that have ended.
// @ts-check
import { h } from "../dom.js";

/** @typedef {import("./link.js").Run} Run */
/**
 * @typedef {object} Acts What can be done with a run.
 * @property {(run: Run, compared: boolean) => void} show
 * @property {() => Promise<unknown>} stop
 * @property {(run: Run, what: "model" | "result", name: string, record?: number) => Promise<string>} save
 * @property {(record: number) => string} called What the page calls a record.
 */

const ENDED = { running: "running", stopping: "stopping", completed: "completed", stopped: "stopped", failed: "failed" };

/** Times as people say them. @param {number} seconds */
export function spanText(seconds) {
  const s = Math.round(seconds);
  if (s < 60) return seconds < 10 ? `${seconds.toFixed(1)} s` : `${s} s`;
  return s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
}

/** @param {Acts} acts @param {{model: string, has_file: boolean}} said Of the model: its name, and whether it is a file. */
export function runList(acts, said) {
  /** @type {Map<number, ReturnType<typeof entry>>} */
  const entries = new Map();
  const list = h("ol", { id: "runs", "aria-label": "Runs of this page", reversed: true });
  const section = h("section", { className: "runs", hidden: true }, h("h3", {}, "Runs of this page"), list);
  return {
    section,
    /** @param {Run} run */
    tell(run) {
      let known = entries.get(run.run);
      if (!known) {
        known = entry(acts, said);
        entries.set(run.run, known);
        list.prepend(known.row);
        section.hidden = false;
      }
      known.tell(run);
    },
  };
}

/** One run. @param {Acts} acts @param {{model: string, has_file: boolean}} said */
function entry(acts, { model, has_file }) {
  /** @type {Run} */
  let now;
  const name = h("b", {}), state = h("span", { className: "state" });
  const bar = h("progress", { max: 1, "aria-label": "Part done" });
  const words = h("p", { className: "about", role: "status" }), wrong = h("p", { className: "wrong", role: "alert", hidden: true });
  const stop = h("button", { type: "button", className: "stop", onclick: () => acts.stop().catch(say) }, "Stop");
  const show = h("button", { type: "button", onclick: () => acts.show(now, false) }, "Show");
  const compare = h("button", { type: "button", title: "Show this run together with the curves of the others", onclick: () => acts.show(now, true) }, "Compare");
  const result = saving("result", "Save result as", ".nc"), file = saving("model", "Save model file as", ".toml");
  const done = h("div", { className: "actions" }, show, compare, result.button, file.button);
  const under = h("div", { className: "actions" }, bar, stop);
  const row = h("li", {}, h("div", { className: "title" }, name, state), words, wrong, under, done, result.form, file.form);

  /** @param {unknown} error */
  function say(error) {
    wrong.textContent = error instanceof Error ? error.message : String(error);
    wrong.hidden = !wrong.textContent;
  }

  /** A name for a file, asked for when it is needed. @param {"model" | "result"} what @param {string} label @param {string} ending */
  function saving(what, label, ending) {
    const id = `save-${what}-${Math.random().toString(36).slice(2, 8)}`;
    const field = h("input", { id, type: "text", autocomplete: "off", spellcheck: false, maxLength: 120 });
    const told = h("p", { className: "about", role: "status", hidden: true });
    const which = h("select", { "aria-label": "Which result", hidden: true });
    const form = h("form", { className: "saving", hidden: true, onsubmit: async (/** @type {Event} */ e) => {
      e.preventDefault();
      say("");
      try {
        told.textContent = `Saved: ${await acts.save(now, what, field.value, what === "result" ? Number(which.value) : undefined)}`;
        told.hidden = false;
      } catch (error) {
        told.hidden = true;
        say(error);
        field.focus();
      }
    } }, h("label", { for: id }, label), which, h("span", { className: "entry" }, field, h("span", { className: "unit" }, ending)), h("button", { type: "submit" }, "Save"), told);
    const button = h("button", { type: "button", "aria-expanded": "false", onclick: () => {
      form.hidden = !form.hidden;
      button.setAttribute("aria-expanded", String(!form.hidden));
      if (!field.value) field.value = suggestion();
      which.replaceChildren(...now.results.map((k) => new Option(acts.called(k), String(k))));
      which.hidden = what !== "result" || now.results.length < 2;
      if (!form.hidden) field.select();
    } }, `${label} …`);
    return { button, form };
  }

  /** The model and what was changed, as a file name. */
  function suggestion() {
    const changes = Object.entries(now.parameters).map(([key, value]) => ` ${key} ${value}`).join("");
    return `${model}${changes}`.replace(/[^\p{L}\p{N}._ -]+/gu, "_").slice(0, 80).trim() || "model";
  }

  return {
    row,
    /** @param {Run} run */
    tell(run) {
      now = run;
      const running = run.state === "running" || run.state === "stopping";
      row.dataset.state = run.state;
      name.textContent = name.title = run.name;
      state.textContent = running ? `${ENDED[run.state]}, ${spanText(run.seconds)}` : `${ENDED[run.state]} in ${spanText(run.seconds)}`;
      const left = running && run.left !== null ? `${spanText(run.left)} left` : "";
      words.textContent = running ? [run.title, run.detail, left].filter(Boolean).join(", ") : run.remarks.join("; ");
      words.hidden = !words.textContent;
      if (run.fraction === null) bar.removeAttribute("value");
      else bar.value = run.fraction;
      under.hidden = !running;
      stop.textContent = run.state === "stopping" ? "Stop at once" : "Stop";
      stop.title = run.state === "stopping" ? "The computed samples are lost" : "The samples computed so far are kept";
      done.hidden = running;
      show.hidden = compare.hidden = !run.records.length;
      result.button.hidden = !run.results.length;
      file.button.hidden = !has_file;
      if (!running && run.message && run.state !== "completed") say(run.message);
    },
  };
}
