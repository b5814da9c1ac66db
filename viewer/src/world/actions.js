// What can be done with a part: show it alone, hide it, see through it, go to it, go with it. The same from the tree, the panel of
// the selected part, the view and the keys.
// @ts-check
import { cutPlane } from "./cut.js";
import { bodyOf, itemOf } from "./items.js";
import { change } from "./look.js";

/** @typedef {import("../main.js").App} App */

/** Names of bodies that are hidden unless they are asked for. @param {import("../data.js").Block} block */
export function hiddenAtFirst({ head }) {
  return new Set(head.bodies.filter((b) => b.hidden).map((b) => b.name));
}

/** @param {ReadonlySet<string>} set @param {readonly string[]} names @param {boolean} within */
export function changedSet(set, names, within) {
  const made = new Set(set);
  for (const name of names) {
    if (within) made.add(name);
    else made.delete(name);
  }
  return made;
}

/** Bodies that belong to a name. @param {App} app @param {string} name */
function bodiesOf(app, name) {
  const item = itemOf(app.block, name);
  if (item?.kind === "pair") return [item.said.body_a, item.said.body_b];
  if (item?.kind === "joint") return [item.said.body, item.said.other];
  if (item?.kind === "spring") return [item.said.a.body, item.said.b.body];
  const body = bodyOf(item);
  // a shaft goes with what sits on its stations
  return body ? [body, ...app.block.head.bodies.filter((b) => b.structure === body).map((b) => b.name)] : [];
}

/** Show a part alone; shown alone already: everything again. @param {App} app @param {string} name */
export function isolate(app, name) {
  const kept = new Set(bodiesOf(app, name));
  if (!kept.size) return;
  const hidden = new Set(app.block.head.bodies.map((b) => b.name).filter((b) => !kept.has(b)));
  if (isolated(app, name)) showAll(app);
  else app.store.set({ hidden });
}

/** @param {App} app @param {string} name */
export function isolated(app, name) {
  const kept = new Set(bodiesOf(app, name)), { hidden } = app.store.state;
  return kept.size > 0 && app.block.head.bodies.every((b) => hidden.has(b.name) !== kept.has(b.name));
}

/** Everything that is not hidden at first, and nothing see-through. @param {App} app */
export function showAll(app) {
  app.store.set({ hidden: hiddenAtFirst(app.block), clear: new Set() });
}

/** @param {App} app @param {string} name */
export function toggleHidden(app, name) {
  const { hidden } = app.store.state;
  app.store.set({ hidden: changedSet(hidden, [name], !hidden.has(name)) });
}

/** @param {App} app @param {string} name */
export function toggleClear(app, name) {
  const { clear } = app.store.state, names = bodiesOf(app, name);
  const item = itemOf(app.block, name), these = item?.kind === "part" || item?.kind === "spring" ? [name] : names;
  app.store.set({ clear: changedSet(clear, these, !these.every((n) => clear.has(n))) });
}

/** @param {App} app @param {string} name */
export function isClear(app, name) {
  const item = itemOf(app.block, name), these = item?.kind === "part" || item?.kind === "spring" ? [name] : bodiesOf(app, name);
  return these.length > 0 && these.every((n) => app.store.state.clear.has(n));
}

/** Go with the body of a part; gone with already: stand still again. @param {App} app @param {string} name */
export function toggleFollow(app, name) {
  const body = bodyOf(itemOf(app.block, name));
  if (!body) return;
  change(app, { follow: app.store.state.look.follow === body ? "" : body });
}

/** Turn the cut on, so that one looks at the section, or off. @param {App} app */
export function toggleCut(app) {
  const { cut } = app.store.state.look;
  setCut(app, { on: !cut.on });
}

/** Change the cut; turned on or in another direction, what lies towards the viewer is cut away. @param {App} app @param {Partial<import("./look.js").CutLook>} changes */
export function setCut(app, changes) {
  const cut = { ...app.store.state.look.cut, ...changes };
  if (changes.on || changes.by) cut.flip = cutPlane(app.world, { ...cut, flip: false }).normal.dot(app.world.eye.back()) < 0;
  change(app, { cut });
}

/** What a menu offers for a name. @param {App} app @param {string} name @returns {{id: string, text: string, key: string, on: boolean, run: () => void}[]} */
export function actionsOf(app, name) {
  const { state } = app.store, item = itemOf(app.block, name);
  if (!item) return [];
  const body = bodyOf(item), meshes = app.block.head.pairs.some((p) => [p.name, p.wheel_a, p.wheel_b, p.body_a, p.body_b].includes(name));
  const selecting = (/** @type {() => void} */ run) => () => { app.store.set({ selected: name }); run(); };
  return [
    { id: "zoom", text: "Zoom to", key: "", on: false, run: () => app.world.views.zoomTo(name) },
    { id: "along", text: "Along its axis", key: "A", on: false, run: selecting(() => app.world.views.along()) },
    ...(meshes ? [{ id: "mesh", text: "At the mesh", key: "M", on: false, run: selecting(() => app.world.views.atMesh()) }] : []),
    ...(body ? [
      { id: "follow", text: "Follow", key: "G", on: state.look.follow === body, run: () => toggleFollow(app, name) },
      { id: "isolate", text: "Isolate", key: "I", on: isolated(app, name), run: () => isolate(app, name) },
      { id: "clear", text: "See through", key: "T", on: isClear(app, name), run: () => toggleClear(app, name) },
    ] : []),
    { id: "hide", text: "Hide", key: "H", on: state.hidden.has(name), run: () => toggleHidden(app, name) },
  ];
}
