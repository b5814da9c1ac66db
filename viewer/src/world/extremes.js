// The outermost points of shapes and of whole motions: enough to frame them exactly without touching every vertex again.
// @ts-check
import { Vector3 } from "three";

/** Where to look for outermost points: towards faces, edges and corners of a cube. */
const DIRECTIONS = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => new Vector3(x, y, z)))).filter((d) => d.lengthSq() > 0).map((d) => d.normalize());
const RING = 24;

/** Keeps the outermost of all points that it is shown. */
export class Extremes {
  constructor() {
    this.best = new Float64Array(DIRECTIONS.length).fill(-Infinity);
    this.points = DIRECTIONS.map(() => new Vector3());
  }

  /** @param {Vector3} p */
  add(p) {
    for (let k = 0; k < DIRECTIONS.length; k++) {
      const d = p.dot(DIRECTIONS[k]);
      if (d > this.best[k]) {
        this.best[k] = d;
        this.points[k].copy(p);
      }
    }
  }

  /** Each once. @returns {Vector3[]} */
  all() {
    return this.points.filter((p, k) => this.best[k] > -Infinity && this.points.findIndex((q) => q.equals(p)) === k);
  }
}

/** Outermost points of vertices. @param {ArrayLike<number>} position */
export function outermost(position) {
  const found = new Extremes(), p = new Vector3();
  for (let k = 0; k + 2 < position.length; k += 3) found.add(p.set(position[k], position[k + 1], position[k + 2]));
  return found.all();
}

/** Outermost points of what vertices reach when they are turned about z: rings. @param {ArrayLike<number>} position */
export function outermostTurned(position) {
  const flat = new Extremes(), p = new Vector3();
  for (let k = 0; k + 2 < position.length; k += 3) flat.add(p.set(Math.hypot(position[k], position[k + 1]), 0, position[k + 2]));
  return flat.all().flatMap(({ x: r, z }) => Array.from({ length: RING }, (_, i) => new Vector3(r * Math.cos((2 * Math.PI * i) / RING), r * Math.sin((2 * Math.PI * i) / RING), z)));
}
