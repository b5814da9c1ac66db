// Which forces, colours and deformations are shown, and the legend that says what they mean.
// @ts-check
import { h } from "../dom.js";
import { GROUPS, LONGEST } from "../world/arrows.js";
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
  const { effects } = app;
  const groups = effects.arrows.groups();
  if (!groups.size) return [h("p", { className: "faint" }, app.block.head.samples ? "This result has no forces to draw." : "A model as built has no forces: run it first.")];
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
    type: "range", min: "-1", max: "1", step: "0.01", value: String(Math.log10(state.arrowScale)), "data-effect": "arrow-scale",
    "aria-label": "Length of arrows", oninput: () => effects.set({ arrowScale: 10 ** Number(scale.value) }),
  });
  const opposite = h("input", { type: "checkbox", checked: state.reactions, "data-effect": "reactions", onchange: () => effects.set({ reactions: opposite.checked }) });
  return [
    h("fieldset", {}, h("legend", {}, "Arrows"), ...boxes, h("label", {}, "Length", scale),
      h("label", { title: "The opposite force on the other body, where there is one" }, opposite, "Reactions too")),
  ];
}

/** @param {App} app */
function legends(app) {
  const { effects } = app;
  const groups = effects.groups(), found = [];
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
