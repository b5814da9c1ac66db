// The camera: where it looks from, in perspective or parallel, and how near and far it sees.
// @ts-check
import { Matrix4, PerspectiveCamera, Quaternion, Ray, Sphere, Vector3 } from "three";

/** Where the eye stands: it looks at `target` from `distance` [m]; `turn` is the camera's own attitude; nothing is seen that lies further than `front` [m] before the target. @typedef {{target: Vector3, turn: Quaternion, distance: number, front?: number | null}} Stand */

export class Eye extends PerspectiveCamera {
  constructor() {
    super(26, 1, 0.001, 100);
    this.up.set(0, 0, 1);
    this.parallel = false;
    this.target = new Vector3();
    this.distance = 1;
    /** In parallel projection: nothing is seen that lies further than this before the target [m]; null: all is seen. @type {number | null} */
    this.front = null;
    /** All that is to be seen: near and far follow it. */
    this.reach = new Sphere(new Vector3(), 1);
    /** Share of the picture's height at its foot that other things cover. */
    this.foot = 0;
    /** Shift of the picture [pixels of the picture], for smooth edges. */
    this.shift = { x: 0, y: 0, width: 1, height: 1 };
  }

  /** @returns {Stand} */
  stand() {
    return { target: this.target.clone(), turn: this.quaternion.clone(), distance: this.distance };
  }

  /** @param {Partial<Stand>} stand */
  place({ target = this.target, turn = this.quaternion, distance = this.distance }) {
    this.target.copy(target);
    this.quaternion.copy(turn).normalize();
    this.distance = distance;
    this.position.set(0, 0, distance).applyQuaternion(this.quaternion).add(this.target);
    const depth = -new Vector3().copy(this.reach.center).sub(this.position).dot(this.back());
    const { radius } = this.reach;
    this.far = Math.max(depth + radius, distance) * 1.01;
    // in parallel projection nothing is behind the eye
    this.near = this.parallel ? (this.front === null ? depth - 1.01 * radius : distance - this.front) : Math.max(depth - 1.01 * radius, 0.02 * distance, 1e-5 * this.far);
    this.updateMatrixWorld();
    this.updateProjectionMatrix();
  }

  /** Unit vector from what is looked at to the eye. */
  back() {
    return new Vector3(0, 0, 1).applyQuaternion(this.quaternion);
  }

  /** Half of the picture's height at the target [m]. */
  half() {
    return this.distance * Math.tan((this.fov * Math.PI) / 360);
  }

  updateProjectionMatrix() {
    const { shift } = this;
    if (!this.parallel) super.updateProjectionMatrix();
    else {
      const h = this.half(), w = h * this.aspect;
      this.projectionMatrix.makeOrthographic(-w, w, h, -h, this.near, this.far, this.coordinateSystem);
    }
    if (shift && (shift.x || shift.y)) this.projectionMatrix.premultiply(new Matrix4().makeTranslation((2 * shift.x) / shift.width, (2 * shift.y) / shift.height, 0));
    this.projectionMatrixInverse.copy(this.projectionMatrix).invert();
  }

  /** The line of sight through a place of the picture, -1 to 1 to the right and up. @param {number} x @param {number} y */
  ray(x, y) {
    const from = new Vector3(x, y, -1).unproject(this);
    return new Ray(from, new Vector3(x, y, 1).unproject(this).sub(from).normalize());
  }

  /** The place in the plane through the target that is seen at a place of the picture. @param {number} x @param {number} y */
  inPlane(x, y) {
    const h = this.half();
    return new Vector3(x * h * this.aspect, y * h, 0).applyQuaternion(this.quaternion).add(this.target);
  }

  /** The nearest stand with an attitude from which all points are seen, with a margin. @param {readonly Vector3[]} points @param {Quaternion} turn @param {number} [margin] @returns {Stand} */
  fitted(points, turn, margin = 1.08) {
    const inverse = turn.clone().invert();
    const seen = points.map((p) => p.clone().applyQuaternion(inverse));
    if (!seen.length) return { target: new Vector3(), turn: turn.clone(), distance: 1 };
    const slope = Math.tan((this.fov * Math.PI) / 360) / margin, across = slope * this.aspect;
    const z = (Math.max(...seen.map((p) => p.z)) + Math.min(...seen.map((p) => p.z))) / 2;
    // the narrowest pyramid about all points with the sides of the picture: how far it reaches past the middle plane on each side
    const reach = (/** @type {"x" | "y"} */ k, /** @type {number} */ sign, /** @type {number} */ s) => Math.max(...seen.map((p) => sign * p[k] + (this.parallel ? 0 : (p.z - z) * s)));
    const below = slope * (1 - 2 * this.foot);
    const right = reach("x", 1, across), left = reach("x", -1, across), high = reach("y", 1, slope), low = reach("y", -1, below);
    const distance = Math.max((right + left) / (2 * across), (high + low) / (slope + below)) || 1;
    const middle = new Vector3((right - left) / 2, (high - slope * distance + below * distance - low) / 2, z);
    return { target: middle.applyQuaternion(turn), turn: turn.clone(), distance };
  }
}

/** The attitude of a camera that looks against `back`, with `up` upwards as far as can be. @param {Vector3} back @param {Vector3} [up] */
export function looking(back, up = new Vector3(0, 0, 1)) {
  const b = back.clone().normalize();
  const u = Math.abs(b.dot(up.clone().normalize())) > 0.9999 ? new Vector3(0, Math.abs(b.y) > 0.9 ? 0 : 1, Math.abs(b.y) > 0.9 ? 1 : 0) : up;
  return new Quaternion().setFromRotationMatrix(new Matrix4().lookAt(b, new Vector3(), u));
}
