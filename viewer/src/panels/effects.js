// Which forces, colours and deformations are shown.
// @ts-check
import { h } from "../dom.js";
import { GROUPS } from "../world/arrows.js";
import { hover } from "../world/arrow_hover.js";
import { told } from "../world/numbers.js";
import { legends } from "./legend.js";

/** @typedef {import("../main.js").App} App */
/** Part of the panel, and what brings its controls to the state; they stay the same while a hand is on them. @typedef {{element: HTMLElement, sync: () => void}} Section */

/** @param {App} app */
export function effectsPanel(app) {
  const title = h("summary", {}, "Forces and colours");
  const panel = h("details", { id: "effects" }, title);
  const legend = h("div", { id: "legend" });
  app.regions.view.append(panel, legend);
  /** @type {Section[]} */
  let sections = [];
  let record = -1;
  const follow = () => {
    if (record !== app.store.state.record) {
      record = app.store.state.record;
      sections = [arrowSection, deformationSection, colourSection, contactSection].flatMap((make) => make(app) ?? []);
      panel.replaceChildren(title, ...sections.map(({ element }) => element), ...(sections.length ? [] : [nothing(app)]));
    }
    for (const { sync } of sections) sync();
    legend.replaceChildren(...legends(app));
  };
  app.effects.onChange(follow);
  follow();
  hover(app);
}

/** @param {App} app */
function nothing(app) {
  const { samples, kind } = app.block.head;
  return h("p", { className: "faint" }, samples || kind !== "built" ? "This record contains no forces." : "A model as built has no forces. Run the model first.");
}

/** A box to tick for a part of the state. @param {App} app @param {keyof import("../world/effects.js").EffectState} key @param {() => boolean} now @param {string} label @param {string} [title] */
function box(app, key, now, label, title = "") {
  const input = h("input", { type: "checkbox", "data-effect": key, onchange: () => app.effects.set({ [key]: input.checked }) });
  return { element: h("label", { title }, input, label), sync: () => { input.checked = now(); } };
}

/** A slider over powers of ten. @param {App} app @param {"arrowScale" | "magnification"} key @param {number} from @param {number} to @param {string} label @param {(x: number) => number} rounded */
function powers(app, key, from, to, label, rounded) {
  const input = h("input", {
    type: "range", min: String(from), max: String(to), step: "0.01", "data-effect": key, "aria-label": label,
    oninput: () => app.effects.set({ [key]: rounded(10 ** Number(input.value)) }),
  });
  const sync = () => { if (rounded(10 ** Number(input.value)) !== app.store.state.effects[key]) input.value = String(Math.log10(app.store.state.effects[key])); };
  return { element: input, sync };
}

/** @param {App} app @returns {Section | null} */
function arrowSection(app) {
  const { effects } = app, groups = effects.arrows.groups();
  if (!groups.size) return null;
  const boxes = Object.entries(GROUPS).filter(([group]) => groups.has(group)).map(([group, { label }]) => {
    const input = h("input", {
      type: "checkbox", "data-group": group,
      onchange: () => {
        const next = new Set(effects.groups());
        if (input.checked) next.add(group);
        else next.delete(group);
        effects.set({ groups: next });
      },
    });
    return { element: h("label", {}, input, h("span", { className: `chip arrow-${group}` }), `${label} (${groups.get(group)})`), sync: () => { input.checked = effects.groups().has(group); } };
  });
  const scale = powers(app, "arrowScale", -1, 1, "Length of arrows", (x) => x);
  const reactions = box(app, "reactions", () => app.store.state.effects.reactions, "Reactions too", "The reaction force on the other body");
  return {
    element: h("fieldset", {}, h("legend", {}, "Arrows"), ...boxes.map(({ element }) => element), h("label", {}, "Length", scale.element), reactions.element),
    sync: () => { for (const { sync } of [...boxes, scale, reactions]) sync(); },
  };
}

/** Two digits. @param {number} x */
const short = (x) => Number(x.toPrecision(2));

/** @param {App} app @returns {Section | null} */
function deformationSection(app) {
  const { deformed } = app.effects.layers;
  if (!(deformed.largest(true) > 0)) return null;
  const state = () => app.store.state.effects;
  const slider = powers(app, "magnification", 0, 5, "Magnification of displacements", short);
  const factor = h("output", { "data-effect": "magnified" });
  const fitted = () => Math.max(1, short(app.world.loaded.size / 20 / (deformed.largest(state().axial) || Infinity)));
  const fit = h("button", { type: "button", title: "The largest displacement is drawn as 1/20 of the scene size", onclick: () => app.effects.set({ magnification: fitted() }) }, "Fit");
  const one = h("button", { type: "button", title: "True scale", onclick: () => app.effects.set({ magnification: 1 }) }, "1");
  const axial = box(app, "axial", () => state().axial, "Include axial displacement", "Axial displacement is mostly the axial play of the bearings. It hides the bending of the shafts.");
  const words = h("p", { className: "faint" });
  return {
    element: h("fieldset", {}, h("legend", {}, "Deformation"), h("div", { className: "line" }, "×", factor, slider.element, fit, one), axial.element, words),
    sync: () => {
      slider.sync();
      axial.sync();
      factor.textContent = String(state().magnification);
      words.textContent = `Largest displacement ${state().axial ? "" : "across the axes "}${told(deformed.largest(state().axial), "m")}, ${deformed.words}. Rotation about the axes of shafts is not magnified.`;
    },
  };
}

/** @param {App} app @returns {Section | null} */
function colourSection(app) {
  const { meshColour, deformed } = app.effects.layers;
  const choices = [["own", "their own colour"], ...(meshColour.largest > 0 ? [["force", "that of the force of their teeth"]] : []), ...(deformed.largest(true) > 0 ? [["displacement", "that of their displacement"]] : [])];
  if (choices.length < 2) return null;
  const choice = h("select", { "data-effect": "colour", "aria-label": "Colour of bodies", onchange: () => app.effects.set({ colour: /** @type {any} */ (choice.value) }) }, ...choices.map(([value, label]) => h("option", { value }, label)));
  return { element: h("fieldset", {}, h("legend", {}, "Bodies have"), choice), sync: () => { choice.value = app.store.state.effects.colour; } };
}

/** @param {App} app @returns {Section | null} */
function contactSection(app) {
  const { contact } = app.effects, { loads } = contact, known = contact.tables.length > 0;
  if (!contact.lines.some(({ ideal }) => ideal) && !known) return null;
  const words = known
    ? contact.tables[0].text
    : "Contact lines of ideal rigid flanks, without flank modifications and tooth bending. The colour shows the mean load of a line.";
  const shown = box(app, "contact", () => app.effects.showsContact, known ? "Pressure on the flanks" : "Lines of contact");
  const choice = h("select", { "data-effect": "load", onchange: () => app.effects.set({ load: choice.selectedIndex }) }, ...loads.map((label) => h("option", {}, label)));
  return {
    element: h("fieldset", {}, h("legend", {}, "Contact of the teeth"), shown.element, ...(loads.length > 1 ? [h("label", {}, "Torque on gear B", choice)] : []), h("p", { className: "faint" }, words)),
    sync: () => {
      shown.sync();
      choice.selectedIndex = Math.min(app.store.state.effects.load ?? Infinity, loads.length - 1);
    },
  };
}
