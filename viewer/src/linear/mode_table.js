// The modes as a table: one row each, chosen by a click or the arrow keys.
// @ts-check
import { h } from "../dom.js";
import { short } from "./findings.js";

/** @typedef {import("./findings.js").Finding} Finding */

/**
 * @param {Finding} finding @param {(column: number) => void} choose
 * @returns {{element: HTMLElement, mark: (column: number, near: number) => void}} mark: the mode that is shown, and one of a frequency that another plot shows; -1: none
 */
export function modeTable(finding, choose) {
  const { said, frequency } = finding;
  const damping = /** @type {Float64Array} */ (finding.block.array(said.damping));
  const several = said.times.some((/** @type {number} */ times) => times > 1);
  const rows = Array.from(frequency, (f, i) => row(finding, i, f, damping[i], several, () => choose(i)));
  const head = h("tr", {}, ...["", "Frequency/Hz", "Damping/%", ...(several ? ["Times"] : []), "Kind", "What moves"].map((text) => h("th", { scope: "col" }, text)));
  const below = said.decaying.length ? `Without oscillation: ${said.decaying.map((/** @type {number} */ s) => short(s, 4)).join(", ")} 1/s` : "";
  const table = h("table", { role: "grid", "aria-label": "Modes" }, h("thead", {}, head), h("tbody", {}, ...rows));
  const element = h("div", { className: "mode-list", tabIndex: 0, onkeydown: walk }, table, below ? h("p", {}, below) : "");
  let shown = -1;

  /** @param {KeyboardEvent} e */
  function walk(e) {
    const page = Math.max(1, Math.floor(element.clientHeight / 24) - 2);
    const steps = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length });
    const step = steps[e.key];
    if (step === undefined || e.ctrlKey || e.altKey || e.metaKey || !rows.length) return;
    e.preventDefault();
    choose(Math.min(Math.max(shown + step, 0), rows.length - 1));
  }

  return {
    element,
    mark(column, near) {
      for (const [i, r] of rows.entries()) {
        r.setAttribute("aria-selected", String(i === column));
        r.classList.toggle("near", i === near && i !== column);
      }
      const seen = column >= 0 ? column : near;
      if (seen >= 0 && seen !== shown) inView(element, rows[seen]);
      shown = seen;
    },
  };
}

/** @param {Finding} finding @param {number} i @param {number} f [Hz] @param {number} damping @param {boolean} several whether some frequencies are multiple @param {() => void} choose */
function row(finding, i, f, damping, several, choose) {
  const { said } = finding;
  const rigid = i < said.rigid, grows = damping < 0 && !said.stable;
  const kind = said.kinds[i], text = String(said.descriptions[i]);
  const damped = rigid ? "–" : grows ? `${short(100 * damping, 3)} grows` : short(100 * damping, 3);
  const cells = [
    h("td", {}, String(i + 1)), h("td", {}, rigid ? "0" : short(f, 6)), h("td", { className: grows ? "alarm" : "" }, damped),
    ...(several ? [h("td", {}, said.times[i] > 1 ? `${said.times[i]} ×` : "")] : []), h("td", {}, kind),
    h("td", { title: text }, text.startsWith(`${kind}; `) ? text.slice(kind.length + 2) : text),
  ];
  return h("tr", { "aria-selected": "false", onclick: choose, title: finding.has(0, i) ? "" : "The page has no shape of this mode." }, ...cells);
}

/** Scroll a table so that a row is seen; the page stays where it is. @param {HTMLElement} box @param {HTMLElement} item */
function inView(box, item) {
  const top = item.offsetTop, head = 26;
  if (top - head < box.scrollTop) box.scrollTop = top - head;
  else if (top + item.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + item.offsetHeight - box.clientHeight + 4;
}
