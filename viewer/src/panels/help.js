// The keys, in a dialog.
// @ts-check
import { h, iconButton } from "../dom.js";

const KEYS = [
  ["Space", "play, pause"],
  ["← →", "previous or next sample"],
  ["Shift + ← →", "previous or next mesh period"],
  ["Home, End", "first, last sample"],
  ["+ −", "faster, slower"],
  ["/", "find a signal; arrow down: into the list; space: plot it"],
  ["in the plot: ↑ ↓", "zoom in and out about the time; Backspace: back; 0: all"],
  ["Escape", "close a dialog; nothing selected"],
  ["?", "this help"],
];
const VIEW = [
  ["F, R", "fit everything; the first view again"],
  ["X Y Z", "look against an axis; once more: from the other side"],
  ["A, M", "along the axis of the selected part; at the mesh"],
  ["G, C", "go with the selected body; cutting plane"],
  ["I, H, T, S", "show only the selected part, hide it, make it see-through; show all parts"],
  ["J, N, E, P", "joints, names, edges, parallel projection"],
  ["Ctrl + arrows", "turn the view; with Shift: move it. Page up, down: nearer, farther"],
];
const MOUSE = [
  ["3D view", "drag: rotate. Right button or Shift and drag: move. Wheel: zoom. Click: select."],
  ["Plot", "click: go to this time. Drag: zoom in. Wheel: zoom. Double click: show all."],
  ["Bars between panels", "drag: resize. Double click: collapse. Arrow keys and Enter do the same."],
];

export function help() {
  const rows = (/** @type {string[][]} */ said) => h("dl", {}, ...said.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)]));
  const dialog = h("dialog", { id: "help", "aria-label": "Help" });
  dialog.append(iconButton("close", "Close", () => dialog.close(), { className: "tool close" }), h("h2", {}, "Keys"), rows(KEYS), h("h2", {}, "Keys of the 3D view"), rows(VIEW), h("h2", {}, "Mouse and touch"), rows(MOUSE));
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  document.body.append(dialog);
  return h("button", { id: "show-help", type: "button", className: "tool", title: "Keys (?)", "aria-label": "Help: keys", onclick: () => dialog.showModal() }, "?");
}
