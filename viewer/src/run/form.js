// The form of declared parameters: change them, run the model with them, see what is wrong beside the value.
// @ts-check
import { h } from "../dom.js";
import { Field } from "./fields.js";
import { Refused } from "../served_source.js";

/** @typedef {import("./link.js").Form} Form */
/** @typedef {import("./link.js").Problem} Problem */

const MANY = 12; // parameters from which they are searched

/** @param {Form} said @param {(values: Record<string, string>) => Promise<void>} run */
export function parameterForm(said, run) {
  const fields = said.parameters.map((one) => new Field(one, count));
  const plain = fields.filter((f) => !f.said.formula), computed = fields.filter((f) => f.said.formula);
  const find = h("input", { type: "search", id: "find-parameter", placeholder: "Find a parameter", "aria-label": "Find a parameter", hidden: fields.length < MANY, oninput: () => {
    const words = find.value.trim().toLowerCase();
    for (const { row, said: { name, text } } of fields) row.hidden = !`${name} ${text}`.toLowerCase().includes(words);
    more.open = more.open || (words !== "" && computed.some(({ row }) => !row.hidden));
  } });
  const more = h("details", { hidden: !computed.length }, h("summary", {}, `Computed from others (${computed.length})`), ...computed.map((f) => f.row));
  const wrong = h("p", { id: "run-wrong", className: "wrong", role: "alert", hidden: true });
  const start = h("button", { id: "run", type: "submit", className: "main" }, "Run");
  start.title = said.analyses.length ? `Runs ${said.analyses.join(", ")}` : "Runs the analyses of the model";
  const reset = h("button", { id: "reset-parameters", type: "button", onclick: () => {
    for (const field of fields) field.reset();
    count();
  } }, "Reset all");
  const changed = h("span", { className: "faint", id: "changed-parameters" });
  const form = h("form", { noValidate: true, onsubmit: (/** @type {Event} */ e) => {
    e.preventDefault();
    void submit();
  } }, find, ...plain.map((f) => f.row), more, h("div", { className: "actions" }, start, reset, changed), wrong);

  function count() {
    const n = fields.filter((f) => f.changed).length;
    changed.textContent = n ? `${n} changed` : "";
    reset.disabled = !n;
  }

  async function submit() {
    for (const field of fields) field.wrong("");
    say("");
    const empty = fields.filter((f) => f.changed && f.value === "");
    for (const field of empty) field.wrong("a value is required");
    if (empty.length) return empty[0].input.focus();
    start.disabled = true;
    try {
      await run(Object.fromEntries(fields.filter((f) => f.changed).map((f) => [f.said.name, f.value])));
    } catch (error) {
      show(error);
    }
  }

  /** What is wrong, beside the values that it is about. @param {unknown} error */
  function show(error) {
    /** @type {Problem[]} */
    const problems = (error instanceof Refused && error.data?.problems) || [];
    const rest = [];
    for (const { parameter, message } of problems) {
      const field = fields.find((f) => f.said.name === parameter);
      if (!field) rest.push(message);
      else {
        field.wrong(message);
        if (field.said.formula) more.open = true;
      }
    }
    const first = fields.find((f) => f.input.hasAttribute("aria-invalid"));
    if (!problems.length) rest.push(error instanceof Error ? error.message : String(error));
    say(rest.join("\n"));
    start.disabled = false;
    first?.input.focus();
  }

  /** @param {string} text */
  function say(text) {
    wrong.textContent = text;
    wrong.hidden = !text;
  }
  count();
  return {
    form,
    /** Whether a run can be started. @param {boolean} free */
    free(free) {
      start.disabled = !free;
    },
    show,
  };
}
