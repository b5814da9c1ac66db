// Where the view is taken from: the whole, along the axes, along the axis of a part, at the teeth, going with a body.
// @ts-check
import { Matrix4, Quaternion, Vector3 } from "three";
import { looking } from "./eye.js";
import { bodyOf, itemOf } from "./items.js";
import { change } from "./look.js";
import { square } from "./upright.js";

/** @typedef {import("./eye.js").Stand} Stand */

/** Towards the viewer: y runs into the picture, so that x runs to the right, except where y is upwards. */
const SIDES = { x: new Vector3(1, 0, 0), y: new Vector3(0, -1, 0), z: new Vector3(0, 0, 1) };
const DURATION = 260; // [ms] of the way from one view to another
const PITCHES = 4.5; // that "at the mesh" shows

export class Views {
  /** @param {import("./world.js").World} world */
  constructor(world) {
    this.world = world;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    /** Counts journeys: a new one ends that before. */
    this.journey = 0;
    /** The body that the view goes with, and its pose when that began. @type {{name: string, turning: boolean, pose: Matrix4} | null} */
    this.followed = null;
  }

  /** What the chosen preset looks at. */
  get selected() {
    return itemOf(this.world.app.block, this.world.app.store.state.selected);
  }

  get time() {
    return this.world.app.store.state.time;
  }

  /** Everything, from above at an angle; or as the record says. @param {boolean} [atOnce] */
  home(atOnce = false) {
    const said = this.world.app.block.head.camera;
    const stand = said ? this.said(said) : this.world.eye.fitted(this.world.seenPoints(), looking(this.world.loaded.upright.back, this.world.eye.up));
    if (!atOnce) return this.go(stand);
    this.world.eye.front = null;
    this.world.eye.place(stand);
    if (this.world.busy.has("travel")) this.arrive(); // a journey on its way would end where the picture had another shape
  }

  /** target: what is looked at; back: from there to the eye; up: in the picture; size: height of what is seen [m]. @param {{target: number[], back: number[], up: number[], size: number}} said @returns {Stand} */
  said({ target, back, up, size }) {
    const [at, from, high] = [target, back, up].map((v) => new Vector3().fromArray(v));
    return { target: at, turn: looking(from, high), distance: size / 2 / Math.tan((this.world.eye.fov * Math.PI) / 360) };
  }

  /** Everything, from where one looks. */
  fit() {
    this.go(this.world.eye.fitted(this.world.seenPoints(), this.world.eye.quaternion));
  }

  /** Against an axis of the model; looked at so already: from the other side. @param {"x" | "y" | "z"} axis @param {boolean} [other] */
  side(axis, other = false) {
    const { eye, loaded } = this.world, { up } = loaded.upright, own = SIDES[axis], level = Math.abs(own.dot(up));
    const back = level > 0.9999 ? own.clone().multiplyScalar(Math.sign(own.dot(up))) : own;
    const turned = (/** @type {Readonly<Vector3>} */ v) => v.clone().transformDirection(loaded.root.matrixWorld);
    const seen = turned(back);
    this.go(eye.fitted(this.world.seenPoints(), looking(other || eye.back().dot(seen) > 0.99999 ? seen.negate() : seen, turned(level > 0.9999 ? square(up)[1] : up))));
  }

  /** Along the axis of what is selected, or of the first gear, in parallel projection; from the side that one is on. */
  along() {
    change(this.world.app, { parallel: true }); // in perspective, flanks along the line of sight seem to run into each other
    const { eye, loaded } = this.world, item = this.selected, { axis } = loaded.places.axis(item);
    const points = item ? loaded.places.points(item) : this.world.seenPoints();
    this.go(eye.fitted(points.length > 1 ? points : this.world.seenPoints(), alongAxis(axis, eye)));
  }

  /** The pair that "at the mesh" means: the selected one, one of the selected wheel, the first. */
  pair() {
    const { pairs } = this.world.app.block.head, item = this.selected;
    if (item?.kind === "pair") return item.said;
    const mine = pairs.find((p) => item && [p.wheel_a, p.wheel_b, p.body_a, p.body_b].includes(item.name));
    return mine ?? (item ? undefined : pairs[0]) ?? pairs[0];
  }

  /** Close to the teeth of a pair, along the axis of its first wheel, of a worm gear along that of the wheel, in parallel projection; what stands in front of them is not drawn. */
  atMesh() {
    const { eye, loaded } = this.world, pair = this.pair();
    const target = pair && loaded.places.mesh(pair, this.time);
    if (!pair || !target) return;
    const gears = [pair.wheel_a, pair.wheel_b].flatMap((name) => loaded.places.gear(name) ?? []);
    const finest = gears.sort((a, b) => a.shape.detail - b.shape.detail)[0]; // a thread has no pitch about its axis
    const along = pair.kind === "worm" && finest ? new Vector3(0, 0, 1).transformDirection(finest.holder.matrixWorld) : loaded.places.axis({ kind: "pair", name: pair.name, said: pair }).axis;
    change(this.world.app, { parallel: true });
    const height = PITCHES * (finest?.shape.detail || 0.1 * loaded.size), turn = alongAxis(along, eye);
    const back = new Vector3(0, 0, 1).applyQuaternion(turn);
    const faces = gears.flatMap(({ shape, holder }) => shape.support.map((p) => p.clone().applyMatrix4(holder.matrixWorld).sub(target).dot(back)));
    const front = faces.length ? Math.max(...faces) + 1e-3 * height : null;
    this.go({ target, turn, front, distance: height / 2 / Math.tan((eye.fov * Math.PI) / 360) });
  }

  /** Close to something, from where one looks. @param {string} name */
  zoomTo(name) {
    const { eye, loaded } = this.world, item = itemOf(this.world.app.block, name);
    if (!item) return;
    const points = loaded.places.points(item);
    if (!points.length) return;
    const stand = eye.fitted(points, eye.quaternion, 1.3);
    const size = item.kind === "joint" ? item.said.size || 0.05 * loaded.size : 0;
    this.go({ ...stand, distance: Math.max(stand.distance, 12 * size, 0.02 * loaded.size) });
  }

  /** Move there smoothly. @param {Stand} stand */
  go(stand) {
    const { eye, app, loaded } = this.world;
    if (![...stand.target.toArray(), ...stand.turn.toArray(), stand.distance].every(Number.isFinite)) return; // a failed run may end in no numbers
    const number = ++this.journey;
    this.world.untouched = false;
    eye.front = stand.front ?? null;
    if (this.still.matches || !this.world.renderer || document.hidden || app.frames === 0) {
      eye.place(stand);
      this.arrive();
      return;
    }
    const from = eye.stand(), began = performance.now();
    // the same attitude is q and -q: take the short way
    const to = from.turn.dot(stand.turn) < 0 ? new Quaternion(-stand.turn.x, -stand.turn.y, -stand.turn.z, -stand.turn.w) : stand.turn;
    document.documentElement.dataset.travelling = "yes";
    this.world.busy.add("travel");
    const step = () => {
      if (number !== this.journey || loaded !== this.world.loaded) return;
      const x = Math.min((performance.now() - began) / DURATION, 1), f = x * x * (3 - 2 * x);
      if (x >= 1) {
        eye.place(stand);
        this.arrive();
        return;
      }
      eye.place({ target: from.target.clone().lerp(stand.target, f), turn: new Quaternion().slerpQuaternions(from.turn, to, f), distance: from.distance * (stand.distance / from.distance) ** f });
      app.redraw();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** The end of a journey, or of one that a hand on the view breaks off. */
  arrive() {
    this.journey += 1;
    delete document.documentElement.dataset.travelling;
    this.world.busy.delete("travel");
    this.world.app.redraw();
  }

  /** Go with a body from now on, or with none: what is seen stays where it is at that moment. */
  follow() {
    const { eye, loaded, app } = this.world, { follow, turning } = app.store.state.look;
    const body = loaded.bodies.byName.get(bodyOf(itemOf(app.block, follow)));
    if (this.followed?.name === (body?.name ?? "") && this.followed.turning === turning) return;
    const back = loaded.root.matrix.clone().invert();
    if (this.followed) {
      const { target, turn } = eye.stand();
      eye.place({ target: target.applyMatrix4(back), turn: turn.premultiply(new Quaternion().setFromRotationMatrix(back)) });
    }
    this.followed = body ? { name: body.name, turning, pose: loaded.bodies.pose(body, this.time) } : null;
  }

  /** The frame of the scene at a time, so that the followed body stands still. @param {number} t @param {Matrix4} into */
  frame(t, into) {
    const { followed } = this, body = followed && this.world.loaded.bodies.byName.get(followed.name);
    into.identity();
    if (!followed || !body) return;
    const now = this.world.loaded.bodies.pose(body, t);
    if (followed.turning) into.copy(followed.pose).multiply(now.invert());
    else into.makeTranslation(new Vector3().setFromMatrixPosition(followed.pose).sub(new Vector3().setFromMatrixPosition(now)));
    if (!into.elements.every(Number.isFinite)) into.identity();
  }
}

/** The attitude that looks along an axis, from the side one is on. @param {Vector3} axis @param {import("./eye.js").Eye} eye */
function alongAxis(axis, eye) {
  const towards = axis.clone().multiplyScalar(axis.dot(eye.back()) < 0 ? -1 : 1);
  return looking(towards, Math.abs(towards.dot(eye.up)) > 0.999 ? square(eye.up)[1] : eye.up);
}
