// The selected part: what it is, what can be done with it, and its values at the time that is shown.
// @ts-check
import { h } from "../dom.js";
import { actionsOf } from "../world/actions.js";
import { itemOf } from "../world/items.js";
import { valueText } from "../values.js";

/** @typedef {import("../world/items.js").Item} Item */

const MOST = 40; // signals that are shown
const KINDS = /** @type {Record<string, string>} */ ({ gear: "Gear", rack: "Rack", shaft: "Shaft", bearing: "Bearing", housing: "Housing", cam: "Cam", roller: "Roller", coupling: "Coupling", bushing: "Bushing", mass: "Mass", shape: "Shape", "stand-in": "Shape by its inertia" });
const GROUPS = /** @type {Record<string, string>} */ ({ Bodies: "Body", Shafts: "Shaft", Beams: "Beam", "Flexible bodies": "Flexible body", Ground: "Ground" });

/** What is said of an item; a body of which a part bears the name, such as a gear, has that part's data first. @param {Item} item @returns {[string, string][]} */
function infoOf(item) {
  const { said } = item, own = item.kind === "body" ? item.said.parts.filter((p) => p.name === item.name || item.said.parts.length === 1) : [];
  const told = [...own.flatMap((p) => p.info ?? []), ...(said.info ?? [])];
  const twice = item.kind === "joint" || item.kind === "spring" ? ["Kind", "Bodies"] : [];
  return told.filter(([label, text], k) => !twice.includes(label) && told.findIndex(([l, x]) => l === label && x === text) === k);
}

/** @param {import("../main.js").App} app */
export function selectedPanel(app) {
  const { store, regions } = app;
  const panel = h("section", { id: "selected", "aria-label": "Selected part", "aria-live": "off" });
  regions.side.prepend(panel);
  /** @type {{name: string, cell: HTMLElement}[]} */
  let cells = [];
  let asked = false;

  const link = (/** @type {string} */ name) => h("button", { type: "button", className: "link", onclick: () => store.set({ selected: name }) }, name);

  /** @param {Item} item @returns {[string, (string | Node)[]][]} */
  function facts(item) {
    const known = (/** @type {string} */ name) => (itemOf(app.block, name) ? link(name) : name);
    if (item.kind === "pair") return [["Wheels", [known(item.said.wheel_a), " and ", known(item.said.wheel_b)]]];
    if (item.kind === "joint") return [["Between", [known(item.said.body), " and ", known(item.said.other)]]];
    if (item.kind === "spring") return [["Between", [known(item.said.a.body), " and ", known(item.said.b.body)]]];
    const { head } = app.block, wheels = item.kind === "part" ? [item.name] : [item.name, ...item.said.parts.flatMap((p) => p.name ?? [])];
    const pairs = head.pairs.filter((p) => wheels.includes(p.wheel_a) || wheels.includes(p.wheel_b));
    const joints = item.kind === "body" ? head.joints.filter((j) => j.body === item.name || j.other === item.name) : [];
    const listed = (/** @type {{name: string}[]} */ items) => items.slice(0, 12).flatMap((p, k) => [k ? ", " : "", link(p.name)]).concat(items.length > 12 ? [` and ${items.length - 12} more`] : []);
    const parts = item.kind === "body" ? [...new Set(item.said.parts.flatMap((p) => (p.name && p.name !== item.name ? [p.name] : [])))].map((name) => ({ name })) : [];
    /** @type {[string, (string | Node)[]][]} */
    const rows = [];
    if (item.kind === "part") rows.push(["On body", [link(item.body)]]);
    if (parts.length) rows.push(["Carries", listed(parts)]);
    if (pairs.length) rows.push(["Gear pairs", listed(pairs)]);
    if (joints.length) rows.push(["Joints", listed(joints)]);
    return rows;
  }

  /** @param {Item} item */
  function kindOf(item) {
    if (item.kind === "body") return GROUPS[item.said.group] ?? item.said.group;
    if (item.kind === "part") return KINDS[item.said.kind] ?? item.said.kind;
    const kind = { pair: "Gear pair", joint: "Joint", spring: "Spring" }[item.kind];
    return item.said.kind && item.said.kind !== kind.toLowerCase() ? `${kind}, ${item.said.kind}` : kind;
  }

  function build() {
    const { selected } = store.state, item = itemOf(app.block, selected);
    cells = [];
    panel.classList.toggle("empty", !item && !selected);
    if (!item && !selected) {
      panel.replaceChildren(h("p", { className: "none" }, "Click a part in the view or in the list to see its values."));
      return;
    }
    const notes = item?.kind === "body" ? item.said.parts.flatMap((p) => (p.note ? [p.name && p.name !== selected ? `${p.name}: ${p.note}` : p.note] : [])) : item?.kind === "part" && item.said.note ? [item.said.note] : [];
    /** @type {[string, (string | Node)[]][]} */
    const rows = item ? [...infoOf(item).map(([label, text]) => /** @type {[string, string[]]} */ ([label, [text]])), ...facts(item)] : [];
    const prefix = `${selected}.`, signals = app.block.head.signals.filter((s) => s.name.startsWith(prefix));
    const values = signals.slice(0, MOST).flatMap((s) => {
      const names = s.components.length ? s.components.map((c) => `${s.name}.${c}`) : [s.name];
      const spans = names.map((name) => {
        const cell = h("span", { className: "value", "data-signal": name });
        cells.push({ name, cell });
        return cell;
      });
      const parts = s.components.length ? spans.map((span, k) => h("span", {}, h("span", { className: "component" }, s.components[k]), span)) : spans;
      return [h("dt", { title: s.description }, s.name.slice(prefix.length).replaceAll("_", " ")), h("dd", { className: s.components.length ? "vector" : "" }, ...parts)];
    });
    panel.replaceChildren(
      h("header", {}, h("h2", { title: selected }, selected), h("span", { className: "kind" }, item ? kindOf(item) : ""), h("button", { type: "button", className: "close", "aria-label": "Clear the selection", title: "Clear the selection (Esc)", onclick: () => store.set({ selected: "" }) }, "×")),
      h("div", { className: "actions", role: "group", "aria-label": "Actions" }, ...actionsOf(app, selected).map(({ id, text, key, on, run }) => h("button", { type: "button", "data-action": id, title: key ? `${text} (${key})` : text, "aria-pressed": String(on), onclick: run }, text))),
      ...(notes.length ? [h("ul", { className: "notes" }, ...[...new Set(notes)].map((text) => h("li", {}, text)))] : []),
      ...(rows.length ? [h("dl", { className: "info" }, ...rows.flatMap(([label, texts]) => [h("dt", {}, label), h("dd", {}, ...texts)]))] : []),
      ...(values.length ? [h("dl", { className: "values" }, ...values)] : [h("p", { className: "none" }, "This part has no signals.")]),
      ...(signals.length > MOST ? [h("p", { className: "none" }, `And ${signals.length - MOST} more signals: find them by name below.`)] : []),
    );
    fill();
  }

  function fill() {
    asked = false;
    for (const { name, cell } of cells) {
      const text = valueText(app, store.state.record, name, store.state.time);
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  /** States of the buttons. */
  function mark() {
    for (const { id, on } of actionsOf(app, store.state.selected)) panel.querySelector(`[data-action="${id}"]`)?.setAttribute("aria-pressed", String(on));
  }

  store.on(["selected", "record"], build);
  store.on(["hidden", "clear", "look"], mark);
  store.on(["time", "arrived", "degrees"], () => {
    if (asked || !cells.length) return;
    asked = true; // once a picture
    requestAnimationFrame(fill);
  });
  build();
}
