// The parts of the model as a tree: seen or hidden, selected, found by name.
// @ts-check
import { h } from "../dom.js";
import { changedSet, hiddenAtFirst } from "../world/actions.js";
import { colourOf } from "../world/bodies.js";
import { menu } from "../world/menu.js";

/** @typedef {import("../data.js").Block} Block */
/** text: the name as it is shown; a station of a shaft stands under it without its name. @typedef {{name: string, text?: string, colour: string, note: string, level: number}} Entry */
/** @typedef {{title: string, entries: Entry[], open: boolean, header: HTMLElement, box: HTMLInputElement, rows: HTMLElement, filled: boolean}} Branch */

const LONG = 60; // rows of a branch that begins folded
const FOLDED = new Set(["Joints", "Without a shape"]);
const FILTER = 12; // rows from which on there is a field to filter them

/** Branches with what stands in them. @param {Block} block @returns {Map<string, Entry[]>} */
export function branches(block) {
  const { head } = block;
  /** @type {Map<string, Map<string, Entry>>} */
  const found = new Map();
  const add = (/** @type {string} */ title, /** @type {Entry} */ entry) => {
    const entries = found.get(title) ?? new Map();
    found.set(title, entries);
    const known = entries.get(entry.name);
    if (!known) entries.set(entry.name, entry);
    else if (entry.note && !known.note) known.note = entry.note;
  };
  head.bodies.forEach((body, k) => {
    const colour = body.parts.length ? colourOf(block, k) : "", own = body.parts.find((p) => !p.name || p.name === body.name);
    const note = own?.note ?? (body.parts.length === 1 ? body.parts[0].note ?? "" : ""), under = body.parts.length && body.structure ? `${body.structure} ` : "";
    add(body.parts.length ? body.group : "Without a shape", { name: body.name, text: under && body.name.startsWith(under) ? body.name.slice(under.length) : body.name, colour, note, level: under ? 2 : 1 });
    for (const part of body.parts) {
      if (part.name && part.name !== body.name && part.kind !== "bearing") add(body.group, { name: part.name, colour: part.colour ?? "", note: part.note ?? "", level: body.structure ? 3 : 2 });
    }
  });
  const shapeless = found.get("Without a shape");
  found.delete("Without a shape");
  for (const body of head.bodies) for (const p of body.parts) if (p.kind === "bearing" && p.name) add("Bearings", { name: p.name, colour: "", note: p.note ?? "", level: 1 });
  for (const pair of head.pairs) add("Gear pairs", { name: pair.name, colour: "", note: "", level: 1 });
  for (const joint of head.joints) add("Joints", { name: joint.name, colour: "", note: joint.kind, level: 1 });
  for (const spring of head.springs) if (spring.kind !== "rod") add("Springs", { name: spring.name, colour: "", note: spring.kind, level: 1 });
  const known = new Set([...found.values()].flatMap((entries) => [...entries.keys()]));
  for (const arrow of head.arrows) if (arrow.group === "load" && !known.has(arrow.of)) add("Loads", { name: arrow.of, colour: "", note: "", level: 1 });
  if (shapeless) found.set("Without a shape", shapeless);
  return new Map([...found].map(([title, entries]) => [title, [...entries.values()]]));
}

/** @param {import("../main.js").App} app */
export function partsPanel(app) {
  const { store, regions } = app;
  /** @type {Map<string, {row: HTMLElement, box: HTMLInputElement}>} */
  const rows = new Map();
  /** @type {Branch[]} */
  let all = [];
  const filter = h("input", { id: "filter-parts", type: "search", placeholder: "filter parts", "aria-label": "Filter parts", oninput: () => filtered() });
  const tree = h("div", { id: "tree", role: "tree", "aria-label": "Parts" });
  const none = h("p", { className: "none", hidden: true }, "No part with this name.");
  regions.parts.append(filter, tree, none);

  /** @param {string[]} names @param {boolean} seen */
  const see = (names, seen) => store.set({ hidden: changedSet(store.state.hidden, names, !seen) });

  /** @param {Entry} entry */
  function rowOf({ name, text = name, colour, note, level }) {
    const box = h("input", { type: "checkbox", tabIndex: -1, title: "Shown", "aria-label": `Show ${name}`, onchange: () => see([name], box.checked) });
    const chip = h("i", { className: "chip" });
    if (colour && CSS.supports("color", colour)) chip.style.background = colour;
    const more = h("button", { type: "button", className: "more", tabIndex: -1, "aria-label": `Actions for ${name}`, onclick: (/** @type {MouseEvent} */ e) => { e.stopPropagation(); menu(app, name, e.clientX || row.getBoundingClientRect().right, e.clientY || row.getBoundingClientRect().bottom, row); } }, "⋯");
    const row = h("div", { className: `part level-${level}`, role: "treeitem", "aria-level": String(level + 1), tabIndex: -1, title: name, "data-name": name }, box, chip, h("span", { className: "name" }, text), ...(note ? [h("span", { className: "note" }, note)] : []), more);
    rows.set(name, { row, box });
    return row;
  }

  /** @param {Branch} branch */
  function fill(branch) {
    if (branch.filled) return;
    branch.filled = true;
    branch.rows.append(...branch.entries.map(rowOf));
    mark();
  }

  /** @param {Branch} branch @param {boolean} open */
  function unfold(branch, open) {
    if (open) fill(branch);
    branch.open = open;
    branch.rows.hidden = !open;
    branch.header.setAttribute("aria-expanded", String(open));
  }

  function build() {
    rows.clear();
    all = [...branches(app.block)].map(([title, entries]) => {
      const names = entries.map((e) => e.name);
      const box = h("input", { type: "checkbox", tabIndex: -1, "aria-label": `Show ${title}`, onchange: () => see(names, box.checked), onclick: (/** @type {Event} */ e) => e.stopPropagation() });
      const header = h("div", { className: "branch", role: "treeitem", "aria-level": "1", tabIndex: -1, onclick: () => unfold(branch, !branch.open) }, h("i", { className: "fold-mark" }), box, h("span", { className: "name" }, title), h("span", { className: "count" }, String(entries.length)));
      /** @type {Branch} */
      const branch = { title, entries, open: false, header, box, rows: h("div", { role: "group" }), filled: false };
      return branch;
    });
    tree.replaceChildren(...all.flatMap((b) => [b.header, b.rows]));
    all.forEach((b) => unfold(b, b.entries.length <= LONG && !FOLDED.has(b.title)));
    const first = /** @type {HTMLElement | null} */ (tree.querySelector("[role=treeitem]"));
    if (first) first.tabIndex = 0;
    filter.hidden = all.reduce((n, b) => n + b.entries.length, 0) < FILTER;
    filter.value = "";
    none.hidden = true;
    mark();
  }

  let chosen = "";
  function mark() {
    const { hidden, selected, clear } = store.state;
    for (const [name, { row, box }] of rows) {
      const seen = !hidden.has(name);
      if (box.checked !== seen) box.checked = seen;
      row.classList.toggle("clear", clear.has(name));
    }
    for (const { entries, box } of all) {
      const off = entries.reduce((n, e) => n + Number(hidden.has(e.name)), 0);
      box.checked = off === 0;
      box.indeterminate = off > 0 && off < entries.length;
    }
    for (const name of [chosen, selected]) rows.get(name)?.row.setAttribute("aria-selected", String(name === selected && name !== ""));
    if (chosen === selected) return;
    chosen = selected;
    const branch = all.find((b) => b.entries.some((e) => e.name === selected));
    if (branch && !branch.open && !filter.value) unfold(branch, true);
    rows.get(selected)?.row.scrollIntoView({ block: "nearest" });
  }

  function filtered() {
    const text = filter.value.trim().toLowerCase();
    let found = 0;
    for (const branch of all) {
      const match = branch.entries.map((e) => !text || e.name.toLowerCase().includes(text) || e.note.toLowerCase().includes(text) || branch.title.toLowerCase().includes(text));
      const some = match.filter(Boolean).length;
      found += some;
      branch.header.hidden = !some;
      if (text && some) unfold(branch, true);
      if (branch.filled) branch.entries.forEach((e, k) => { /** @type {HTMLElement} */ (branch.rows.children[k]).hidden = !match[k]; });
      if (!some) branch.rows.hidden = true;
      else branch.rows.hidden = !branch.open;
    }
    none.hidden = found > 0;
  }

  /** Rows that can be seen, in their order. */
  const visible = () => /** @type {HTMLElement[]} */ ([...tree.querySelectorAll("[role=treeitem]")]).filter((row) => row.offsetParent !== null);

  /** @param {HTMLElement | undefined} row */
  function focus(row) {
    if (!row) return;
    for (const other of tree.querySelectorAll("[tabindex='0']")) /** @type {HTMLElement} */ (other).tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  }

  tree.addEventListener("click", (e) => {
    const target = /** @type {HTMLElement} */ (e.target), row = /** @type {HTMLElement | null} */ (target.closest(".part"));
    if (!row || target.matches("input, button")) return;
    focus(row);
    store.set({ selected: row.dataset.name ?? "" });
  });
  tree.addEventListener("dblclick", (e) => {
    const row = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest(".part"));
    if (row) app.world.views.zoomTo(row.dataset.name ?? "");
  });
  tree.addEventListener("contextmenu", (e) => {
    const row = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest(".part"));
    if (!row) return;
    e.preventDefault();
    const box = row.getBoundingClientRect(), byKey = e.clientX === 0 && e.clientY === 0;
    menu(app, row.dataset.name ?? "", byKey ? box.left + 20 : e.clientX, byKey ? box.bottom : e.clientY, row);
  });
  tree.addEventListener("keydown", (e) => {
    const row = /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (e.target).closest("[role=treeitem]"));
    if (!row) return;
    const list = visible(), at = list.indexOf(row), branch = all.find((b) => b.header === row);
    const box = /** @type {HTMLInputElement} */ (row.querySelector("input"));
    if (e.key === "ArrowDown") focus(list[at + 1]);
    else if (e.key === "ArrowUp") focus(list[at - 1]);
    else if (e.key === "Home") focus(list[0]);
    else if (e.key === "End") focus(list[list.length - 1]);
    else if (e.key === "ArrowRight" && branch) unfold(branch, true);
    else if (e.key === "ArrowLeft") {
      if (branch) unfold(branch, false);
      else focus(all.find((b) => b.rows.contains(row))?.header);
    } else if (e.key === " ") box.click();
    else if (e.key === "Enter" && branch) unfold(branch, !branch.open);
    else if (e.key === "Enter") store.set({ selected: row.dataset.name ?? "" });
    else if (!branch && (e.key === "ContextMenu" || (e.key === "F10" && e.shiftKey))) menu(app, row.dataset.name ?? "", row.getBoundingClientRect().left + 20, row.getBoundingClientRect().bottom, row);
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
  store.on(["record"], () => {
    const before = new Set(rows.keys());
    build();
    // another model: its own bodies are hidden at first
    if (!app.block.head.bodies.some((b) => before.has(b.name))) store.set({ hidden: hiddenAtFirst(app.block), clear: new Set(), selected: "" });
  });
  store.on(["hidden", "clear", "selected"], mark);
  store.set({ hidden: hiddenAtFirst(app.block) });
  build();
}
