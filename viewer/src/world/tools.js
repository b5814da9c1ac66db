// The toolbar of the view, and its keys.
// @ts-check
import { h } from "../dom.js";
import { isolate, setCut, showAll, toggleClear, toggleCut, toggleFollow, toggleHidden } from "./actions.js";
import { change, jointsShown } from "./look.js";

/** @param {import("../main.js").App} app */
export function tools(app) {
  const { store, regions, world } = app, { views } = world;
  const selected = () => store.state.selected || app.block.head.bodies.find((b) => b.parts.some((p) => p.kind === "gear"))?.name || app.block.head.bodies[0]?.name || "";
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ onclick) => h("button", { type: "button", id, title, onclick }, text);
  const group = (/** @type {HTMLElement[]} */ ...items) => h("div", { className: "group" }, ...items);

  const follow = button("tool-follow", "Follow", "Follow the selected body (G)", () => toggleFollow(app, store.state.look.follow || selected()));
  const cut = button("tool-cut", "Cut", "Cutting plane (C)", () => toggleCut(app));
  const show = button("tool-show", "Show", "Items drawn in addition to the bodies", () => open(!!shown.hidden));
  show.setAttribute("aria-haspopup", "true");

  const check = (/** @type {string} */ id, /** @type {string} */ text, /** @type {(on: boolean) => Partial<import("./look.js").Look>} */ changes) => {
    const box = h("input", { type: "checkbox", id, onchange: () => change(app, changes(box.checked)) });
    return { box, label: h("label", {}, box, text) };
  };
  const edges = check("show-edges", "Edges (E)", (on) => ({ edges: on })), floor = check("show-floor", "Floor grid", (on) => ({ floor: on }));
  const joints = check("show-joints", "Joints (J)", (on) => ({ joints: on })), names = check("show-names", "Names (N)", (on) => ({ names: on }));
  const parallel = check("show-parallel", "Parallel projection (P)", (on) => ({ parallel: on }));
  const frames = h("select", { id: "show-frames", onchange: () => change(app, { frames: /** @type {any} */ (frames.value) }) }, new Option("none", "none"), new Option("of the selected body", "selected"), new Option("of all bodies", "all"));
  const shown = h("div", { id: "shown", hidden: true, role: "group", "aria-label": "Show" },
    edges.label, joints.label, names.label, floor.label, h("label", {}, "Axes ", frames), parallel.label,
    h("button", { type: "button", id: "tool-all", title: "Show all parts, none see-through (S)", onclick: () => showAll(app) }, "Show all parts"));

  const by = h("select", { id: "cut-by", "aria-label": "Cutting plane", onchange: () => setCut(app, { by: /** @type {any} */ (by.value) }) },
    new Option("across x", "x"), new Option("across y", "y"), new Option("across z", "z"), new Option("through the axis", "axis"));
  const place = h("input", { id: "cut-place", type: "range", min: "0", max: "1", step: "0.001", "aria-label": "Position of the cutting plane", oninput: () => setCut(app, { place: Number(place.value) }) });
  const flip = button("cut-flip", "Flip", "Keep the other side", () => setCut(app, { flip: !store.state.look.cut.flip }));
  const cutRow = h("div", { id: "cut-row", className: "row", role: "group", "aria-label": "Cutting plane" }, "Cut", by, place, flip);
  const followed = h("span", {});
  const turning = h("input", { type: "checkbox", id: "follow-turning", onchange: () => change(app, { turning: turning.checked }) });
  const followRow = h("div", { id: "follow-row", className: "row", role: "group", "aria-label": "Follow" }, followed, h("label", {}, turning, "turn with it"), button("follow-stop", "Stop", "Stop following", () => change(app, { follow: "" })));

  const mesh = button("tool-mesh", "At the mesh", "Close to the teeth, along the axis, in parallel projection (M)", () => views.atMesh());
  regions.tools.append(
    shown, cutRow, followRow,
    h("div", { className: "row bar" },
      group(button("tool-fit", "Fit", "Everything, from where you look (F); the first view again: R", () => views.fit()),
        ...(/** @type {const} */ (["x", "y", "z"])).map((k) => button(`tool-${k}`, k, `Against the ${k} axis; once more: from the other side (${k.toUpperCase()})`, () => views.side(k)))),
      group(button("tool-along", "Along axis", "Along the axis of the selected part, or of the first gear, in parallel projection (A)", () => views.along()), mesh, follow),
      group(cut, show)),
  );

  /** @param {boolean} on */
  function open(on) {
    shown.hidden = !on;
    show.setAttribute("aria-expanded", String(on));
    if (on) edges.box.focus();
  }
  shown.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    open(false);
    show.focus();
  });
  addEventListener("pointerdown", (e) => { if (!shown.hidden && !regions.tools.contains(/** @type {Node} */ (e.target))) open(false); });

  function say() {
    const { look } = store.state;
    cut.setAttribute("aria-pressed", String(look.cut.on));
    follow.setAttribute("aria-pressed", String(look.follow !== ""));
    cutRow.hidden = !look.cut.on;
    followRow.hidden = !look.follow;
    followed.textContent = `With ${look.follow}`;
    turning.checked = look.turning;
    by.value = look.cut.by;
    place.value = String(look.cut.place);
    edges.box.checked = look.edges;
    floor.box.checked = look.floor;
    joints.box.checked = jointsShown(look, app.block.head);
    names.box.checked = look.names;
    parallel.box.checked = look.parallel;
    frames.value = look.frames;
    mesh.disabled = !app.block.head.pairs.length;
  }
  store.on(["look", "record"], say);
  say();
  open(false);

  /** @type {Record<string, () => void>} */
  const keys = {
    f: () => views.fit(), r: () => world.home(), x: () => views.side("x"), y: () => views.side("y"), z: () => views.side("z"), a: () => views.along(), m: () => views.atMesh(),
    g: () => toggleFollow(app, store.state.look.follow || selected()), c: () => toggleCut(app), i: () => isolate(app, selected()), h: () => store.state.selected && toggleHidden(app, store.state.selected),
    t: () => toggleClear(app, selected()), s: () => showAll(app), p: () => change(app, { parallel: !store.state.look.parallel }), n: () => change(app, { names: !store.state.look.names }),
    e: () => change(app, { edges: !store.state.look.edges }), j: () => change(app, { joints: !jointsShown(store.state.look, app.block.head) }),
  };
  document.addEventListener("keydown", (e) => {
    const target = e.target instanceof HTMLElement ? e.target : document.body;
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || document.querySelector("dialog[open]")) return;
    if (target.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select")) return;
    if (e.key === "Escape") store.set({ selected: "" });
    else if (keys[e.key]) keys[e.key]();
    else return;
    e.preventDefault();
  });
}
