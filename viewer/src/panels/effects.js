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
  const found = [...arrowSection(app), ...deformationSection(app), ...colourSection(app), ...contactSection(app)];
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
function deformationSection(app) {
  const { deformed } = app.effects.layers, { magnification, axial } = app.store.state.effects, largest = deformed.largest(axial);
  if (!(deformed.largest(true) > 0)) return [];
  const slider = h("input", {
    type: "range", min: "0", max: "5", step: "0.01", value: String(Math.log10(magnification)), "data-effect": "magnification", "aria-label": "Magnification of displacements",
    oninput: () => app.effects.set({ magnification: Number((10 ** Number(slider.value)).toPrecision(2)) }),
  });
  const fit = h("button", { type: "button", title: "The largest displacement is drawn as a twentieth of the scene", onclick: () => app.effects.set({ magnification: Math.max(1, Number((app.world.loaded.size / 20 / largest).toPrecision(2))) }) }, "Fit");
  const one = h("button", { type: "button", title: "As large as it is", onclick: () => app.effects.set({ magnification: 1 }) }, "1");
  return [h("fieldset", {}, h("legend", {}, "Deformation"), h("label", {}, "×", h("output", { "data-effect": "magnified" }, String(magnification)), slider, fit, one),
    switched(app, "axial", axial, "Along the axes too", "Along their axes shafts move by the play of their bearings, which hides how they bend"),
    h("p", { className: "faint" }, `Largest displacement ${axial ? "" : "across the axes "}${told(largest, "m")}, ${deformed.words}. Rotation about the axes of shafts is not magnified.`))];
}

/** @param {App} app */
function colourSection(app) {
  const { layers } = app.effects;
  const choices = [["own", "their own colour"], ...(layers.meshColour.largest > 0 ? [["force", "that of the force of their teeth"]] : []), ...(layers.deformed.largest(true) > 0 ? [["displacement", "that of their displacement"]] : [])];
  if (choices.length < 2) return [];
  const { colour } = app.store.state.effects;
  const choice = h("select", { "data-effect": "colour", "aria-label": "Colour of bodies", onchange: () => app.effects.set({ colour: /** @type {any} */ (choice.value) }) },
    ...choices.map(([value, label]) => h("option", { value, selected: value === colour }, label)));
  return [h("fieldset", {}, h("legend", {}, "Bodies have"), choice)];
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
  if (app.store.state.effects.colour === "force" && effects.layers.meshColour.largest > 0) found.push(colourBar("heat", effects.layers.meshColour.largest, "N", "normal force of teeth"));
  if (app.store.state.effects.colour === "displacement") found.push(colourBar("shift", effects.layers.deformed.largest(app.store.state.effects.axial), "m", app.store.state.effects.axial ? "displacement" : "displacement across axes", { title: effects.layers.deformed.words }));
  if (app.store.state.effects.magnification !== 1) found.push(h("div", {}, `displacements drawn ${app.store.state.effects.magnification} times`));
  if (effects.showsContact) {
    const { largest, cut } = effects.contact;
    const { loads } = effects.contact, load = loads[app.store.state.effects.load ?? loads.length - 1];
    if (load !== undefined) found.push(h("div", {}, `under ${load} on gear B`));
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
