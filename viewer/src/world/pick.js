// What the pointer is on: its name is shown, a click selects it, a double click goes close to it.
// @ts-check
import { Raycaster, Vector2, Vector3 } from "three";
import { nearest } from "./arrow_hover.js";
import { cutAway } from "./cut.js";
import { menu } from "./menu.js";

/** @typedef {import("./bodies.js").DrawnPart} DrawnPart */
/** name: of what is selected by a click; part: the part of a body, if it is one. @typedef {{name: string, part: DrawnPart | null, text: string}} Hit */

const NEAR = 9; // [pixels] from a symbol

export class Pick {
  /** @param {import("./world.js").World} world */
  constructor(world) {
    this.world = world;
    this.caster = new Raycaster();
    /** @type {Hit | null} */
    this.over = null;
    this.asked = false;
    const { canvas, app } = world;
    canvas.addEventListener("pointermove", (e) => {
      if (e.pointerType === "touch" || this.asked || world.controls.held.size) return;
      this.asked = true; // once a picture
      requestAnimationFrame(() => {
        this.asked = false;
        const { playing } = app.store.state;
        this.hover(playing ? null : this.at(e.offsetX, e.offsetY), e.offsetX, e.offsetY);
      });
    });
    canvas.addEventListener("pointerleave", () => this.hover(null, 0, 0));
    canvas.addEventListener("click", (e) => { if (e.button === 0 && world.controls.clicked) this.select(this.at(e.offsetX, e.offsetY)); });
    canvas.addEventListener("pointerup", (e) => {
      const hit = e.button === 2 && world.controls.clicked && this.at(e.offsetX, e.offsetY);
      if (hit) menu(app, hit.name, e.clientX, e.clientY, canvas);
    });
    canvas.addEventListener("dblclick", (e) => {
      const hit = this.at(e.offsetX, e.offsetY);
      if (hit) world.views.zoomTo(hit.part?.body.name ?? hit.name);
      else world.views.fit();
    });
  }

  /** The body; clicked once more, the part of it. @param {Hit | null} hit */
  select(hit) {
    const { store } = this.world.app, { part } = hit ?? {};
    if (part && store.state.selected === part.body.name && part.name !== part.body.name) store.set({ selected: part.name });
    else store.set({ selected: hit?.name ?? "" });
  }

  /** @param {Hit | null} hit @param {number} x @param {number} y */
  hover(hit, x, y) {
    const { world } = this;
    world.labels.say(hit?.text ?? "", x, y);
    if (this.over?.name === hit?.name && this.over?.part === hit?.part) return;
    this.over = hit;
    world.canvas.classList.toggle("pointing", !!hit);
    world.mark();
  }

  /** @param {number} x @param {number} y [pixels of the page] @returns {Hit | null} */
  at(x, y) {
    return this.symbol(x, y) ?? this.solid(x, y);
  }

  /** Symbols are drawn over the bodies, and go first. @param {number} x @param {number} y @returns {Hit | null} */
  symbol(x, y) {
    const { eye, loaded, canvas } = this.world, { clientWidth: w, clientHeight: h } = canvas, p = new Vector3();
    const onScreen = (/** @type {Vector3} */ v) => new Vector2(((v.project(eye).x + 1) / 2) * w, ((1 - v.y) / 2) * h);
    /** @type {Hit | null} */
    let found = null;
    let best = NEAR;
    const offer = (/** @type {number} */ distance, /** @type {Hit} */ hit) => {
      if (distance < best) [best, found] = [distance, hit];
    };
    const pointer = new Vector2(x, y);
    for (const { said, symbol, holder } of loaded.joints.all) {
      if (holder.visible) offer(onScreen(p.setFromMatrixPosition(symbol.matrixWorld)).distanceTo(pointer), { name: said.name, part: null, text: `${said.name} (${said.kind})` });
    }
    if (found) return found;
    const arrow = nearest(this.world.app, x, y, w, h);
    return arrow && { name: arrow.said.of, part: null, text: "" }; // arrows say in words what they are
  }

  /** @param {number} x @param {number} y @returns {Hit | null} */
  solid(x, y) {
    const { world } = this, { eye, loaded, canvas } = world;
    this.caster.ray.copy(eye.ray((2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight));
    const seen = loaded.bodies.parts.filter(({ body, holder }) => body.group.visible && holder.visible).map(({ mesh }) => mesh);
    const springs = [...loaded.springs.all, ...loaded.sheets.all].filter(({ mesh }) => mesh.visible);
    const hits = this.caster.intersectObjects([...seen, ...springs.map(({ mesh }) => mesh)], false).filter(({ point }) => !cutAway(world, point));
    // what is seen through is picked only where nothing solid lies behind it
    const hit = hits.find(({ object }) => /** @type {any} */ (object).material.opacity >= 1) ?? hits[0];
    if (!hit) return null;
    const spring = springs.find(({ mesh }) => mesh === hit.object);
    if (spring) return { name: spring.said.name, part: null, text: spring.said.name };
    const part = /** @type {DrawnPart} */ (hit.object.userData.part);
    const text = part.name === part.body.name ? part.name : `${part.body.name}: ${part.name}`;
    return { name: part.body.name, part, text: part.said.note ? `${text} (${part.said.note})` : text };
  }
}
