// Signals: found by name, chosen for the plot, with their values at the time that is shown.
// @ts-check
import { h } from "../dom.js";

/** @param {import("../main.js").App} app */
export function signalsPanel(app) {
  const { store, regions } = app;
  const list = h("select", { id: "signals", multiple: true, "aria-label": "Signals" });
  for (const s of app.block.head.signals) for (const name of s.components.length ? s.components.map((c) => `${s.name}.${c}`) : [s.name]) list.add(new Option(`${name} (${s.unit})`, name));
  list.addEventListener("change", () => store.set({ curves: [...list.selectedOptions].map((o) => ({ record: store.state.record, name: o.value })) }));
  const find = h("input", { id: "find", type: "search", placeholder: "find, e.g. *.normal_force", "aria-label": "Find signals", oninput: () => {
    const pattern = new RegExp(find.value.trim().toLowerCase().replace(/[.+^${}()|[\]\\?]/g, "\\$&").replaceAll("*", ".*"));
    for (const o of list.options) o.hidden = !pattern.test(o.text.toLowerCase());
  } });
  regions.side.append(h("label", { for: "signals" }, "Signals"), find, list);
  const first = [...list.options].find((o) => o.value.endsWith(".normal_force")) ?? list.options[0];
  if (first) {
    first.selected = true;
    store.set({ curves: [{ record: 0, name: first.value }] });
  }
}
