// The scene in three dimensions: renderer, light, what is drawn; drawn only when something changed. Where there is no WebGL
// everything is there but the picture: other panels need not know.
// @ts-check
import { Box3, Group, Scene, Sphere, Vector3, WebGLRenderer } from "three";
import { h } from "../dom.js";
import { Backdrop } from "./backdrop.js";
import { Bodies } from "./bodies.js";
import { Controls } from "./controls.js";
import { applyCut } from "./cut.js";
import { Eye } from "./eye.js";
import { Floor, Frames } from "./frames.js";
import { bodyOf, itemOf, Places } from "./items.js";
import { Joints } from "./joints.js";
import { Labels } from "./labels.js";
import { change, jointsShown } from "./look.js";
import { Pick } from "./pick.js";
import { Sheets } from "./sheets.js";
import { Springs } from "./springs.js";
import { Still } from "./still.js";
import { noCut } from "./surface.js";
import { Triad } from "./triad.js";
import { upright } from "./upright.js";
import { Views } from "./views.js";

/** @typedef {import("../main.js").App} App */

const LOST = "The graphics of this browser were lost. The picture comes back when the browser restores them; if it does not, load the page again.";
const MISSING = "This browser has no WebGL 2, which the 3D view requires. Turn on hardware acceleration, or use another browser. Parts, plots and values work without it.";
/** Times between pictures [ms]: above the first, and the processor draws, fewer pixels while things move; below the second, more. */
const SLOW = 110, FAST = 55;

export class World {
  /** @param {HTMLCanvasElement} canvas @param {App} app */
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    const { software, renderer } = rendererOn(canvas);
    this.software = software;
    this.renderer = renderer;
    this.message = h("p", { id: "no-picture", role: "alert", hidden: !!renderer }, renderer ? "" : MISSING);
    this.nothing = h("p", { id: "nothing", role: "status", hidden: true });
    app.regions.view.append(this.message, this.nothing);
    this.eye = new Eye();
    this.backdrop = new Backdrop();
    this.camera = this.eye;
    /** What moves just now: "hand", "travel". @type {Set<string>} */
    this.busy = new Set();
    this.ratio = 1; // of the pixels that are drawn while things move
    this.drawnAt = 0;
    this.untouched = true; // nobody has moved the view yet: it is fitted again when the window changes
    this.views = new Views(this);
    this.controls = new Controls(this);
    this.labels = new Labels(this);
    this.triad = new Triad(this);
    this.still = new Still(this);
    this.pick = new Pick(this);
    this.loaded = this.load();
    this.home();
    this.mark();
    this.show();
    app.store.on(["record"], () => this.reload());
    app.store.on(["time"], () => this.show());
    app.store.on(["hidden", "clear", "selected"], () => this.mark());
    app.store.on(["playing"], () => app.redraw());
    app.store.on(["look"], () => this.relook());
    new ResizeObserver(() => app.redraw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.redraw());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) app.redraw(); });
    canvas.addEventListener("webglcontextlost", (e) => { e.preventDefault(); this.say(LOST); });
    canvas.addEventListener("webglcontextrestored", () => { this.say(""); app.redraw(); });
  }

  /** Whether the next picture follows at once. */
  get moving() {
    return this.app.store.state.playing || this.busy.size > 0;
  }

  /** @param {string} text over the view; "" for none */
  say(text) {
    this.message.textContent = text;
    this.message.hidden = !text;
  }

  /** The scene of the record that is shown. */
  load() {
    const { block } = this.app;
    const scene = new Scene(), root = new Group(), cut = noCut(), bodies = new Bodies(block, cut);
    root.matrixAutoUpdate = false; // the frame that is looked from, when the view goes with a body
    root.add(bodies.root);
    scene.add(root, this.backdrop);
    const reached = bodies.reached(); // all that is ever reached, so that nothing leaves the view
    const box = new Box3().setFromPoints(reached);
    const size = (box.isEmpty() ? 0 : box.getSize(new Vector3()).length()) || 1;
    bodies.show(this.app.store.state.time);
    scene.updateMatrixWorld(true);
    const places = new Places(block, bodies, root);
    const joints = new Joints(block, bodies, size), springs = new Springs(block, places, cut, size), sheets = new Sheets(block, places, cut);
    const stands = upright(block.head, bodies, reached);
    this.eye.up.copy(stands.up);
    const frames = new Frames(bodies, size), floor = new Floor(reached, stands.up);
    root.add(joints.root, springs.root, sheets.root, frames.root, floor.root);
    return { scene, root, box, size, reached, cut, bodies, places, joints, springs, sheets, frames, floor, upright: stands };
  }

  /** Another record: the same view of it where it is as large and stands in the same place. */
  reload() {
    const before = this.loaded;
    this.loaded = this.load();
    disposeAll(before.root);
    this.views.followed = null;
    this.pick.over = null;
    const same = before.box.getCenter(new Vector3()).distanceTo(this.loaded.box.getCenter(new Vector3())) < 0.2 * before.size;
    if (!same || !before.upright.up.equals(this.loaded.upright.up) || this.loaded.size > 1.3 * before.size || this.loaded.size < 0.7 * before.size) this.home();
    this.relook();
    this.show();
  }

  /** The whole motion from above at an angle. */
  home() {
    change(this.app, { parallel: false });
    this.views.home();
    this.untouched = true;
  }

  /** Outermost points of the whole motion of what is not hidden, in the world. */
  seenPoints() {
    const { hidden } = this.app.store.state, { bodies, root, reached } = this.loaded;
    const some = bodies.all.some((b) => hidden.has(b.name)) ? bodies.reached((b) => !hidden.has(b.name)) : reached;
    return (some.length ? some : reached).map((p) => p.clone().applyMatrix4(root.matrixWorld));
  }

  /** Everything as it stands at the time that is shown. */
  show() {
    const { time } = this.app.store.state, { root, bodies, joints, springs, sheets, frames, scene } = this.loaded;
    this.views.frame(time, root.matrix);
    root.matrixWorldNeedsUpdate = true;
    bodies.show(time);
    if (this.app.effects?.layers.block === this.app.block) this.app.effects.deform(time);
    scene.updateMatrixWorld(true);
    for (const layer of [joints, springs, sheets, frames]) layer.show();
    scene.updateMatrixWorld(true);
    this.app.redraw();
  }

  /** What is hidden, seen through, selected. */
  mark() {
    const { state } = this.app.store, { bodies, joints, springs, sheets, frames, floor } = this.loaded, { look } = state;
    bodies.mark({ ...state, over: this.pick.over?.part ?? null });
    joints.mark(state, jointsShown(look, this.app.block.head));
    springs.mark(state);
    sheets.mark(state);
    frames.mark(look.frames, bodyOf(itemOf(this.app.block, state.selected)), state.hidden);
    floor.root.visible = look.floor;
    this.nothing.hidden = !this.renderer || bodies.parts.some(({ body, holder }) => body.group.visible && holder.visible) || this.app.block.head.springs.some((s) => !state.hidden.has(s.name));
    this.nothing.textContent = bodies.parts.length ? "All parts are hidden. Select them in the list of parts to show them." : "There are no bodies to draw.";
    this.app.redraw();
  }

  /** What is shown beside the bodies has changed. */
  relook() {
    const { parallel } = this.app.store.state.look;
    this.views.follow();
    this.eye.parallel = parallel;
    this.mark();
    this.show();
  }

  draw() {
    const { canvas, renderer, eye, loaded, app } = this, { clientWidth: w, clientHeight: tall } = canvas;
    if (!renderer || renderer.getContext().isContextLost() || !w || !tall) {
      document.documentElement.dataset.still = "yes";
      return;
    }
    const now = performance.now(), between = now - this.drawnAt;
    this.drawnAt = now;
    if (!this.software || !this.moving) this.ratio = 1;
    else if (between < 1000) this.ratio = between > SLOW ? Math.max(this.ratio * 0.8, 0.5) : between < FAST ? Math.min(this.ratio * 1.25, 1) : this.ratio;
    const ratio = (this.software ? 1 : Math.min(devicePixelRatio, 2)) * this.ratio;
    if (canvas.width !== Math.floor(w * ratio) || canvas.height !== Math.floor(tall * ratio)) {
      renderer.setPixelRatio(ratio);
      renderer.setSize(w, tall, false);
    }
    if (eye.aspect !== w / tall) {
      eye.aspect = w / tall;
      eye.foot = Math.min((app.regions.tools.offsetHeight + 8) / tall, 0.35); // the toolbar has more rows in a narrow window
      if (this.untouched) this.views.home(true);
    }
    eye.reach.copy(new Sphere(loaded.box.isEmpty() ? new Vector3() : loaded.box.getCenter(new Vector3()), 0.75 * loaded.size)).applyMatrix4(loaded.root.matrixWorld);
    eye.place({});
    applyCut(this);
    this.backdrop.take(canvas);
    loaded.bodies.fadeEdges(eye, tall, app.store.state.look.edges);
    this.render({ x: 0, y: 0, width: 1, height: 1 });
    this.triad.draw();
    this.labels.draw();
    this.still.begin();
  }

  /** One picture, shifted by a part of a pixel. @param {{x: number, y: number, width: number, height: number}} shift */
  render(shift) {
    const { renderer, eye, loaded } = this;
    if (!renderer) return;
    eye.shift = shift;
    eye.updateProjectionMatrix();
    renderer.render(loaded.scene, eye);
    eye.shift = { x: 0, y: 0, width: 1, height: 1 };
    eye.updateProjectionMatrix();
  }
}

/** @param {import("three").Object3D} root */
function disposeAll(root) {
  root.traverse((/** @type {any} */ o) => {
    o.geometry?.dispose();
    o.material?.dispose();
    if (o.isInstancedMesh) o.dispose();
  });
}

/** A renderer, with smooth edges where there is a graphics processor: a processor takes four times as long for them. null without WebGL 2. @param {HTMLCanvasElement} canvas */
function rendererOn(canvas) {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) return { software: true, renderer: null };
  const name = probe.getParameter(probe.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? probe.RENDERER);
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  const software = /swiftshader|llvmpipe|software|basic render/i.test(name);
  try {
    return { software, renderer: new WebGLRenderer({ canvas, antialias: !software, stencil: true }) };
  } catch {
    return { software, renderer: null };
  }
}
