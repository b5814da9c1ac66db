// Turn, shift and zoom the view by mouse, touch and keys.
// @ts-check
import { Quaternion, Vector3 } from "three";
import { outerScrolls } from "../dom.js";

const TURN = 0.0075; // [rad/pixel]
const STEP = 0.12; // [rad] and share of the picture, a key
const STILL = 4; // [pixels] that a click may move

export class Controls {
  /** @param {import("./world.js").World} world */
  constructor(world) {
    this.world = world;
    /** @type {Map<number, {x: number, y: number}>} */
    this.held = new Map();
    this.moved = 0;
    const { canvas } = world;
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", (e) => this.up(e));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("wheel", (e) => {
      if (outerScrolls()) return;
      e.preventDefault();
      const lines = e.deltaMode === 1 ? 18 : e.deltaMode === 2 ? 400 : 1;
      this.zoom(Math.exp(Math.max(Math.min(e.deltaY * lines, 300), -300) * 0.0016), ...this.place(e));
    }, { passive: false });
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  /** Whether the last press was a click, not a drag. */
  get clicked() {
    return this.moved < STILL;
  }

  /** What the view turns about. */
  get target() {
    return this.world.eye.target;
  }

  /** Where in the picture, -1 to 1 to the right and up. @param {{offsetX: number, offsetY: number}} e @returns {[number, number]} */
  place({ offsetX, offsetY }) {
    const { clientWidth: w, clientHeight: h } = this.world.canvas;
    return [(2 * offsetX) / w - 1, 1 - (2 * offsetY) / h];
  }

  /** @param {PointerEvent} e */
  down(e) {
    if (!this.held.size) this.moved = 0;
    this.held.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    this.world.canvas.setPointerCapture(e.pointerId);
    if (this.world.busy.has("travel")) this.world.views.arrive();
  }

  /** @param {PointerEvent} e */
  move(e) {
    const before = this.held.get(e.pointerId);
    if (!before) return;
    const dx = e.offsetX - before.x, dy = e.offsetY - before.y;
    this.moved += Math.hypot(dx, dy);
    if (this.moved < STILL) return;
    this.world.busy.add("hand");
    if (this.held.size > 1) {
      const other = [...this.held].find(([id]) => id !== e.pointerId)?.[1];
      if (other) {
        const apart = Math.hypot(before.x - other.x, before.y - other.y), now = Math.hypot(e.offsetX - other.x, e.offsetY - other.y);
        if (apart > 0 && now > 0) this.zoom(apart / now, ...this.place({ offsetX: (e.offsetX + other.x) / 2, offsetY: (e.offsetY + other.y) / 2 }));
        this.pan(dx / 2, dy / 2);
      }
    } else if (e.buttons & 6 || e.shiftKey || e.ctrlKey) this.pan(dx, dy);
    else this.turn(dx * TURN, dy * TURN);
    this.held.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
  }

  /** @param {PointerEvent} e */
  up(e) {
    this.held.delete(e.pointerId);
    if (this.held.size || !this.world.busy.delete("hand")) return;
    this.world.app.redraw();
  }

  /** About the vertical and about the picture's horizontal; not over head. @param {number} right @param {number} down [rad] */
  turn(right, down) {
    const { eye } = this.world, { turn } = eye.stand(), vertical = eye.up;
    turn.premultiply(new Quaternion().setFromAxisAngle(vertical, -right));
    const pitched = turn.clone().multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -down));
    // from upright to over head: stop where one looks straight down or up
    const upright = (/** @type {Quaternion} */ q) => new Vector3(0, 1, 0).applyQuaternion(q).dot(vertical);
    if (upright(turn) > -1e-6 && upright(pitched) < -1e-6) {
      const back = new Vector3(0, 0, 1).applyQuaternion(turn), up = new Vector3(0, 1, 0).applyQuaternion(turn);
      const rest = Math.atan2(up.dot(vertical), Math.abs(back.dot(vertical))) * Math.sign(down);
      turn.multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -rest));
    } else turn.copy(pitched);
    eye.front = null; // from another side it would cut anywhere
    eye.place({ turn });
    this.world.untouched = false;
    this.world.app.redraw();
  }

  /** @param {number} dx @param {number} dy [pixels] */
  pan(dx, dy) {
    const { eye, canvas } = this.world, metres = (2 * eye.half()) / canvas.clientHeight;
    this.world.untouched = false;
    eye.place({ target: new Vector3(-dx * metres, dy * metres, 0).applyQuaternion(eye.quaternion).add(eye.target) });
    this.world.app.redraw();
  }

  /** What is seen at a place of the picture stays there. @param {number} factor of the distance @param {number} x @param {number} y */
  zoom(factor, x, y) {
    const { eye, loaded } = this.world;
    const distance = Math.min(Math.max(eye.distance * factor, 1e-4 * loaded.size), 60 * loaded.size);
    const fixed = eye.inPlane(x, y);
    this.world.untouched = false;
    eye.place({ target: eye.target.clone().sub(fixed).multiplyScalar(distance / eye.distance).add(fixed), distance });
    this.world.app.redraw();
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const sideways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (sideways && e.ctrlKey) {
      const [x, y] = sideways, { clientHeight } = this.world.canvas;
      if (e.shiftKey) this.pan(-x * STEP * clientHeight, -y * STEP * clientHeight);
      else this.turn(x * STEP, y * STEP);
    } else if (e.key === "PageUp") this.zoom(1 / 1.2, 0, 0);
    else if (e.key === "PageDown") this.zoom(1.2, 0, 0);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}
