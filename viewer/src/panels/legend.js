// What colours and lengths in the view mean.
// @ts-check
import { h } from "../dom.js";
import { LONGEST } from "../world/arrows.js";
import { colourBar } from "../world/colours.js";
import { roundBelow, told } from "../world/numbers.js";

const EDGES = "The pressure at sharp edges is unbounded. Values there depend on the resolution of the analysis.";

/** @param {import("../main.js").App} app @returns {HTMLElement[]} */
export function legends(app) {
  return [...colourLegends(app), ...contactLegends(app), ...arrowLegends(app)];
}

/** @param {import("../main.js").App} app */
function colourLegends(app) {
  const { meshColour, deformed } = app.effects.layers, { colour, axial, magnification } = app.store.state.effects, found = [];
  if (colour === "force" && meshColour.largest > 0) found.push(colourBar("heat", meshColour.largest, "N", "normal force of teeth"));
  const largest = deformed.largest(axial);
  if (colour === "displacement" && largest > 0) found.push(colourBar("shift", largest, "m", axial ? "displacement" : "displacement across axes", { title: deformed.words }));
  if (magnification !== 1 && deformed.structures.length) found.push(h("div", {}, `displacements drawn ${magnification} times`));
  return found;
}

/** @param {import("../main.js").App} app */
function contactLegends(app) {
  if (!app.effects.showsContact) return [];
  const { largest, cut, loads } = app.effects.contact, found = [];
  const load = loads[Math.min(app.store.state.effects.load ?? Infinity, loads.length - 1)];
  if (load !== undefined) found.push(h("div", {}, `under ${load} on gear B`));
  if (largest.pressure > 0) found.push(colourBar("heat", largest.pressure, "Pa", "pressure on the flanks", { cut, title: cut ? EDGES : "" }));
  if (largest.line > 0) found.push(colourBar("heat", largest.line, "N/m", "mean line load"));
  return found;
}

/** @param {import("../main.js").App} app */
function arrowLegends(app) {
  const { effects } = app, groups = effects.groups(), found = [];
  for (const [kind, unit] of /** @type {const} */ ([["force", "N"], ["torque", "N*m"]])) {
    const largest = effects.arrows.largest(kind, groups);
    if (!(largest > 0)) continue;
    const perPixel = largest / (LONGEST * app.store.state.effects.arrowScale), value = roundBelow(90 * perPixel);
    const bar = h("span", { className: `bar ${kind}` });
    bar.style.width = `${value / perPixel}px`; // set through the object model, which the policy allows
    const title = `At the depth of the centre of rotation of the view.${kind === "torque" ? " Torques follow the right-hand rule." : ""}`;
    found.push(h("div", { className: "scale", title }, bar, `${kind} ${told(value, unit)}`));
  }
  return found;
}
