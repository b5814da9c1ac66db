// The keys, in a dialog.
// @ts-check
import { h, iconButton } from "../dom.js";

const KEYS = [
  ["Space", "play, pause"],
  ["← →", "one sample back, on"],
  ["Shift + ← →", "one mesh period back, on"],
  ["Home, End", "first, last sample"],
  ["+ −", "faster, slower"],
  ["F", "fit the whole model into the view"],
  ["/", "find a signal"],
  ["Escape", "close a dialog; nothing selected"],
  ["?", "this help"],
];
const MOUSE = [
  ["3D view", "drag: turn. Right button or Shift and drag: move. Wheel: nearer, farther. Click: select."],
  ["Plot", "click: go to that time. Drag: zoom in. Wheel: zoom. Double click: all."],
  ["Bars between panels", "drag: resize. Double click: fold. Arrow keys and Enter do the same."],
];

/** @param {import("../main.js").App} _app */
export function help(_app) {
  const rows = (/** @type {string[][]} */ said) => h("dl", {}, ...said.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)]));
  const dialog = h("dialog", { id: "help", "aria-label": "Help" });
  dialog.append(iconButton("close", "Close", () => dialog.close(), { className: "tool close" }), h("h2", {}, "Keys"), rows(KEYS), h("h2", {}, "Mouse and touch"), rows(MOUSE));
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  document.body.append(dialog);
  return h("button", { id: "show-help", type: "button", className: "tool", title: "Keys (?)", "aria-label": "Help: keys", onclick: () => dialog.showModal() }, "?");
}
