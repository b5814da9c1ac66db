// What is upwards in the picture, and where the first view is taken from: against gravity; without it long shafts lie, as they
// do in most machines, and flat gears are seen from above.
// @ts-check
import { Vector3 } from "three";

/** back: from the scene to the eye; up: upwards. @typedef {{back: Vector3, up: Vector3}} Upright */

const TURNING = new Set(["gear", "shaft", "bearing", "coupling"]);
const FLAT = 0.75; // length along the shafts, as a share of that across them, below which the faces of gears are what one looks at
const THIN = 0.45; // the same for mechanisms that lie in a plane
const LONG = [0.55, -0.75, 0.5], FACE = [0.92, -0.34, 0.3], ABOVE = [0.55, -0.75, 0.6]; // along the shafts, across, up

/** @param {import("../data.js").Head} head @param {import("./bodies.js").Bodies} bodies as they stand @param {readonly Vector3[]} reached outermost points of the scene @returns {Upright} */
export function upright(head, bodies, reached) {
  const axis = common(bodies) ?? thin(reached);
  const flat = !axis || spread(reached, axis) < FLAT * Math.max(...square(axis).map((v) => spread(reached, v)));
  const gravity = new Vector3().fromArray(head.gravity ?? [0, 0, 0]);
  const up = gravity.lengthSq() ? gravity.negate().normalize() : axis && Math.abs(axis.z) > 0.9 && !flat ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
  const lying = axis && Math.abs(axis.dot(up)) < 0.3;
  const along = lying ? axis.clone().addScaledVector(up, -axis.dot(up)).normalize() : square(up)[0];
  const across = up.clone().cross(along), [l, a, u] = lying ? (flat ? FACE : LONG) : ABOVE;
  const seen = teeth(head, bodies);
  const from = (/** @type {number} */ i, /** @type {number} */ j) => along.clone().multiplyScalar(i * l).addScaledVector(across, j * a).addScaledVector(up, u);
  // teeth on the face of a wheel, such as those of a bevel, are seen from their side
  const back = [from(1, 1), from(-1, 1), from(1, -1), from(-1, -1)].reduce((best, other) => (seen.dot(other) > seen.dot(best) + 1e-6 ? other : best));
  return { back: back.normalize(), up };
}

/** Two directions square to one and to each other, the same for the same. @param {Vector3} v @returns {[Vector3, Vector3]} */
export function square(v) {
  const [x, y, z] = [v.x, v.y, v.z].map(Math.abs);
  const first = z >= x && z >= y ? new Vector3(1, 0, 0) : y >= x ? new Vector3(0, 0, 1) : new Vector3(0, 1, 0);
  first.addScaledVector(v, -first.dot(v)).normalize();
  return [first, v.clone().cross(first)];
}

/** @param {readonly Vector3[]} points @param {Vector3} v */
function spread(points, v) {
  const along = points.map((p) => p.dot(v));
  return along.length ? Math.max(...along) - Math.min(...along) : 0;
}

/** The direction that nearly all gears, shafts and bearings turn about; null where they differ, or there are none. @param {import("./bodies.js").Bodies} bodies */
function common(bodies) {
  const axes = bodies.parts.filter(({ said }) => TURNING.has(said.kind)).map(axisOf);
  for (const axis of axes.slice(0, 8)) {
    if (axes.filter((other) => Math.abs(other.dot(axis)) > 0.98).length < 0.8 * axes.length) continue;
    const [x, y, z] = axis.toArray().map(Math.abs);
    const largest = z >= x && z >= y ? axis.z : y >= x ? axis.y : axis.x;
    return axis.multiplyScalar(Math.sign(largest));
  }
  return null;
}

/** Square to a mechanism that lies in a plane; null for others. @param {readonly Vector3[]} reached */
function thin(reached) {
  const axes = [new Vector3(0, 0, 1), new Vector3(0, 1, 0), new Vector3(1, 0, 0)], [z, y, x] = axes.map((v) => spread(reached, v));
  return axes[[z, y, x].findIndex((s, k, all) => all.every((other, i) => i === k || s < THIN * other))] ?? null;
}

/** Where the axes of most pairs cross: to the sides on which the larger wheels bear their teeth. @param {import("../data.js").Head} head @param {import("./bodies.js").Bodies} bodies */
function teeth(head, bodies) {
  let crossed = 0;
  const sum = new Vector3(), gears = new Map(bodies.parts.filter(({ said }) => said.kind === "gear").map((p) => [p.name, p]));
  const radius = (/** @type {import("./bodies.js").DrawnPart} */ p) => Math.max(0, ...p.shape.support.map((s) => Math.hypot(s.x, s.y)));
  for (const { wheel_a, wheel_b } of head.pairs) {
    const pair = [gears.get(wheel_a), gears.get(wheel_b)];
    if (!pair[0] || !pair[1] || Math.abs(axisOf(pair[0]).dot(axisOf(pair[1]))) > 0.9) continue;
    crossed += 1;
    const [small, large] = radius(pair[0]) > radius(pair[1]) ? [pair[1], pair[0]] : [pair[0], pair[1]], axis = axisOf(large);
    const middle = (/** @type {import("./bodies.js").DrawnPart} */ p) => p.shape.support.reduce((m, s) => m.add(s), new Vector3()).divideScalar(p.shape.support.length || 1).applyMatrix4(p.holder.matrixWorld);
    const side = middle(small).sub(middle(large)).dot(axis);
    if (Math.abs(side) > 0.2 * radius(small)) sum.addScaledVector(axis, Math.sign(side));
  }
  return 2 * crossed >= head.pairs.length ? sum : sum.set(0, 0, 0);
}

/** @param {import("./bodies.js").DrawnPart} part */
function axisOf({ holder }) {
  return new Vector3(0, 0, 1).transformDirection(holder.matrixWorld);
}
