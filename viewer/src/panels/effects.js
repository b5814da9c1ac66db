// Which forces, colours and deformations are shown, and the legend that says what they mean.
// @ts-check
import { h } from "../dom.js";
import { GROUPS, LONGEST } from "../world/arrows.js";
import { colourBar } from "../world/colours.js";
import { hover } from "../world/arrow_hover.js";
import { roundBelow, told } from "../world/numbers.js";

/** @typedef {import("../main.js").App} App */

/** @param {App} app */
export function effectsPanel(app) {
  const panel = h("details", { id: "effects" }, h("summary", {}, "Forces and colours"));
  const legend = h("div", { id: "legend", "aria-live": "off" });
  app.regions.view.append(panel, legend);
  const fill = () => {
    panel.replaceChildren(h("summary", {}, "Forces and colours"), ...sections(app));
    legend.replaceChildren(...legends(app));
  };
  app.effects.onChange(fill);
  fill();
  hover(app);
}

/** @param {App} app */
function sections(app) {
  const found = [...arrowSection(app), ...contactSection(app)];
  if (found.length) return found;
  return [h("p", { className: "faint" }, app.block.head.samples ? "This result has no forces to draw." : "A model as built has no forces: run it first.")];
}

/** @param {App} app @param {keyof import("../world/effects.js").EffectState} key @param {boolean} checked @param {string} label @param {string} [title] */
function switched(app, key, checked, label, title = "") {
  const box = h("input", { type: "checkbox", checked, "data-effect": key, onchange: () => app.effects.set({ [key]: box.checked }) });
  return h("label", { title }, box, label);
}

/** @param {App} app */
function arrowSection(app) {
  const { effects } = app;
  const groups = effects.arrows.groups();
  if (!groups.size) return [];
  const shown = effects.groups(), state = app.store.state.effects;
  const boxes = Object.entries(GROUPS).filter(([group]) => groups.has(group)).map(([group, { label }]) => {
    const box = h("input", {
      type: "checkbox", checked: shown.has(group), "data-group": group,
      onchange: () => {
        const next = new Set(effects.groups());
        if (box.checked) next.add(group);
        else next.delete(group);
        effects.set({ groups: next });
      },
    });
    return h("label", {}, box, h("span", { className: `chip arrow-${group}` }), `${label} (${groups.get(group)})`);
  });
  const scale = h("input", {
    type: "range", min: "-1", max: "1", step: "0.01", value: String(Math.log10(state.arrowScale)), "data-effect": "arrowScale",
    "aria-label": "Length of arrows", oninput: () => effects.set({ arrowScale: 10 ** Number(scale.value) }),
  });
  return [
    h("fieldset", {}, h("legend", {}, "Arrows"), ...boxes, h("label", {}, "Length", scale),
      switched(app, "reactions", state.reactions, "Reactions too", "The opposite force on the other body, where there is one")),
  ];
}

/** @param {App} app */
function contactSection(app) {
  const { contact } = app.effects;
  if (!contact.lines.some(({ ideal }) => ideal) && !contact.tables.length) return [];
  const words = contact.tables.length
    ? contact.tables[0].text
    : "Lines of contact of ideal rigid flanks: modifications and bending are not in them. The colour is the mean load on a line.";
  const loads = contact.loads, chosen = app.store.state.effects.load ?? loads.length - 1;
  const choice = h("select", { "data-effect": "load", onchange: () => app.effects.set({ load: choice.selectedIndex }) }, ...loads.map((label, k) => h("option", { selected: k === chosen }, label)));
  return [h("fieldset", {}, h("legend", {}, "Contact of the teeth"),
    switched(app, "contact", app.effects.showsContact, contact.tables.length ? "Pressure on the flanks" : "Lines of contact"),
    ...(loads.length > 1 ? [h("label", {}, "Torque on gear B", choice)] : []), h("p", { className: "faint" }, words))];
}

/** @param {App} app */
function legends(app) {
  const { effects } = app;
  const groups = effects.groups(), found = [];
  if (effects.showsContact) {
    const { largest, cut } = effects.contact;
    if (largest.pressure > 0) found.push(colourBar("heat", largest.pressure, "Pa", "pressure on the flanks", { cut, title: cut ? "At sharp edges pressure has no bound: larger values there depend on the fineness of the analysis." : "" }));
    if (largest.line > 0) found.push(colourBar("heat", largest.line, "N/m", "mean line load"));
  }
  for (const [kind, unit] of /** @type {const} */ ([["force", "N"], ["torque", "N*m"]])) {
    const largest = effects.arrows.largest(kind, groups);
    if (!(largest > 0)) continue;
    const perPixel = largest / (LONGEST * app.store.state.effects.arrowScale);
    const value = roundBelow(90 * perPixel);
    const bar = h("span", { className: `bar ${kind}` });
    bar.style.width = `${value / perPixel}px`; // set through the object model, which the policy allows
    found.push(h("div", { className: "scale", title: `At the depth of the point about which the view turns. ${kind === "torque" ? "Torques turn by the right hand about the arrow." : ""}` }, bar, `${kind} ${told(value, unit)}`));
  }
  return found;
}
