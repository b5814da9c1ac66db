// Fields of the parameter form: number and unit, or one of several words; changed ones are marked and can be reset.
// @ts-check
import { h } from "../dom.js";

/** @typedef {import("./link.js").Parameter} Parameter */

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** Bounds of a parameter in words. @param {Parameter} said */
function bounds({ low, high, unit }) {
  const u = unit ? ` ${unit}` : "";
  if (low !== undefined && high !== undefined) return `${low} to ${high}${u}`;
  if (low !== undefined) return `at least ${low}${u}`;
  return high === undefined ? "" : `at most ${high}${u}`;
}

export class Field {
  /** @param {Parameter} said @param {() => void} changed */
  constructor(said, changed) {
    this.said = said;
    this.first = said.formula ? "" : said.value;
    const id = `parameter-${said.name}`;
    const about = [said.text, bounds(said)].filter(Boolean).join("; ");
    this.input = said.choices
      ? h("select", { id }, ...said.choices.map((word) => new Option(word, word, word === said.value, word === said.value)))
      : h("input", { id, type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false, value: this.first, placeholder: said.formula ? said.value : "" });
    this.input.setAttribute("aria-describedby", `${id}-about ${id}-wrong`);
    this.input.addEventListener("input", () => {
      this.mark();
      this.wrong("");
      changed();
    });
    this.back = h("button", { type: "button", className: "back", title: `Back to ${this.words()}`, "aria-label": `Reset ${said.name} to ${this.words()}`, onclick: () => {
      this.reset();
      changed();
      this.input.focus();
    } }, "↺");
    this.unit = h("span", { className: "unit" }, said.unit);
    this.problem = h("p", { id: `${id}-wrong`, className: "wrong", role: "alert", hidden: true });
    this.row = h("div", { className: "field", "data-name": said.name },
      h("label", { for: id, title: said.name }, said.name),
      h("span", { className: "entry" }, this.input, this.unit, this.back),
      h("p", { id: `${id}-about`, className: "about" }, said.formula ? [about, said.formula].filter(Boolean).join("; ") : about),
      this.problem,
    );
    this.mark();
  }

  /** The value of the file in words. */
  words() {
    const { value, unit, formula } = this.said;
    return formula || (unit ? `${value} ${unit}` : value);
  }

  get changed() {
    return this.input.value.trim() !== this.first;
  }

  /** What is sent: a number alone gets its unit. An empty field is the value of the file. */
  get value() {
    const text = this.input.value.trim();
    return this.said.unit && NUMBER.test(text) ? `${text} ${this.said.unit}` : text;
  }

  mark() {
    const text = this.input.value.trim();
    this.unit.classList.toggle("own", text !== "" && !NUMBER.test(text)); // "30 rpm" has its own
    this.row.classList.toggle("changed", this.changed);
    this.back.hidden = !this.changed;
  }

  reset() {
    this.input.value = this.first;
    this.mark();
    this.wrong("");
  }

  /** Say what is wrong with the value beside it; "" for nothing. @param {string} message */
  wrong(message) {
    this.problem.textContent = message;
    this.problem.hidden = !message;
    if (message) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}
