// A bar between two panels: drag it, or move it with the arrow keys; Enter or a double click folds the panel.
// @ts-check
import { h } from "./dom.js";

const STEP = 16;

/** @param {import("./layout.js").PanelName} name of the panel that is resized @param {"left" | "right" | "below"} where it stands @param {number} least [px] */
export function splitter(name, where, least) {
  const { style } = document.body;
  const across = where === "below";
  const panel = () => /** @type {HTMLElement} */ (document.getElementById(name));
  const now = () => (across ? panel().offsetHeight : panel().offsetWidth);
  const most = () => Math.max(least, Math.round((across ? innerHeight : innerWidth) * 0.7));
  const bar = h("div", {
    className: `splitter ${where}`, role: "separator", tabIndex: 0, id: `split-${name}`, title: "Drag to resize; double click or Enter to fold",
    "aria-orientation": across ? "horizontal" : "vertical", "aria-controls": name, "aria-label": `Size of the panel ${name}`,
  });
  /** @param {number} size [px] */
  function resize(size) {
    const kept = Math.round(Math.min(Math.max(size, least), most()));
    style.setProperty(`--${name}`, `${kept}px`);
    bar.setAttribute("aria-valuenow", String(kept));
    bar.setAttribute("aria-valuemin", String(least));
    bar.setAttribute("aria-valuemax", String(most()));
  }
  const fold = () => bar.dispatchEvent(new CustomEvent("fold", { bubbles: true, detail: name }));
  bar.addEventListener("focus", () => resize(now()));
  bar.addEventListener("dblclick", fold);
  bar.addEventListener("pointerdown", (e) => {
    bar.setPointerCapture(e.pointerId);
    e.preventDefault();
  });
  bar.addEventListener("pointermove", (e) => {
    if (!bar.hasPointerCapture(e.pointerId)) return;
    const box = panel().getBoundingClientRect();
    resize(where === "left" ? e.clientX - box.left : where === "right" ? box.right - e.clientX : box.bottom - e.clientY);
  });
  bar.addEventListener("keydown", (e) => {
    const more = where === "left" ? "ArrowRight" : where === "right" ? "ArrowLeft" : "ArrowUp";
    const less = where === "left" ? "ArrowLeft" : where === "right" ? "ArrowRight" : "ArrowDown";
    if (e.key === more) resize(now() + STEP);
    else if (e.key === less) resize(now() - STEP);
    else if (e.key === "Home") resize(least);
    else if (e.key === "End") resize(most());
    else if (e.key === "Enter") fold();
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
  return bar;
}
