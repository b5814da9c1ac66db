// The parts of the model: seen or hidden, selected.
// @ts-check
import { h } from "../dom.js";

/** @param {import("../main.js").App} app */
export function partsPanel(app) {
  const { store, regions } = app;
  function fill() {
    /** @type {Map<string, HTMLElement[]>} */
    const groups = new Map();
    app.world.loaded.bodies.all.forEach((body, k) => {
      const said = app.block.head.bodies[k];
      const box = h("input", { type: "checkbox", checked: !store.state.hidden.has(body.name), onchange: () => {
        const hidden = new Set(store.state.hidden);
        if (box.checked) hidden.delete(body.name);
        else hidden.add(body.name);
        store.set({ hidden });
      } });
      const chip = h("i", { className: "chip" });
      chip.style.background = body.colour;
      const row = h("label", { className: "part" }, box, chip, body.name);
      groups.set(said.group, [...(groups.get(said.group) ?? []), row]);
    });
    regions.parts.replaceChildren(...[...groups].map(([name, rows]) => h("details", { open: rows.length < 40 }, h("summary", {}, `${name} (${rows.length})`), ...rows)));
  }
  store.set({ hidden: new Set(app.block.head.bodies.filter((b) => b.hidden).map((b) => b.name)) });
  store.on(["record"], fill);
  fill();
}
