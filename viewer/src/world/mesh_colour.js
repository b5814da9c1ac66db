// Gears coloured by the normal force of their meshes, around the teeth in contact.
// @ts-check
import { Vector3, Vector4 } from "three";
import { find } from "../data.js";
import { bearingForce, largestForce } from "./bearing_force.js";
import { lightOf } from "./colours.js";
import { define, give } from "./painted.js";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {import("./bodies.js").DrawnPart} DrawnPart */
/** @typedef {{said: import("../data.js").PairSaid, force: Float32Array, contact: Float32Array | null, point: Float32Array}} PairForce */

const MOST = 32; // meshes of one wheel that a shader takes
const MODULE = 1 / 24; // of the size that a pair says

export class MeshColour {
  /** @param {Block} block @param {import("./bodies.js").Bodies} bodies */
  constructor(block, bodies) {
    this.block = block;
    this.bodies = bodies;
    const pairs = block.head.pairs.filter(({ force, point }) => force && point);
    /** @type {PairForce[]} */
    this.pairs = pairs.map((said) => ({ said, force: block.columns(/** @type {string} */ (said.force)), contact: said.contact ? block.columns(said.contact) : null, point: block.columns(/** @type {string} */ (said.point)) }));
    this.largest = 0;
    for (const { force, contact } of this.pairs) this.largest = Math.max(this.largest, largestForce(force, contact));
    /** Parts with the pairs that they are in. @type {{part: DrawnPart, pairs: {pair: PairForce, axis: number[], centre: number[], body: string}[]}[]} */
    this.parts = bodies.parts.flatMap((part) => {
      const names = new Set([part.said.name, .../** @type {string[]} */ (/** @type {any} */ (part.said).also ?? [])]);
      const own = this.pairs.flatMap((pair) => {
        const { said } = pair;
        if (names.has(said.wheel_a)) return [{ pair, axis: said.axis_a, centre: said.centre_a, body: said.body_a }];
        return names.has(said.wheel_b) ? [{ pair, axis: said.axis_b, centre: said.centre_b, body: said.body_b }] : [];
      });
      own.splice(MOST);
      return own.length && part.body.name === own[0].body ? [{ part, pairs: own }] : [];
    });
  }

  /** @param {boolean} on */
  use(on) {
    for (const { part, pairs } of this.parts) define(part.material, "TINT", on && this.largest > 0 ? pairs.length : null);
  }

  /** @param {number} t @param {import("three").Matrix4} world of the frame in which bodies stand */
  place(t, world) {
    const { i, f } = find(this.block.time, t), n = this.block.time.length, j = Math.min(i + 1, n - 1);
    const between = (/** @type {Float32Array} */ a, /** @type {number} */ k) => a[k * n + i] + (a[k * n + j] - a[k * n + i]) * f;
    const colour = [0, 0, 0];
    for (const { part, pairs } of this.parts) {
      const at = [], up = [], side = [], colours = [];
      for (const { pair, axis, centre } of pairs) {
        const force = bearingForce(between(pair.force, 0), pair.contact ? pair.contact[i] : 1), p = new Vector3(between(pair.point, 0), between(pair.point, 1), between(pair.point, 2)).applyMatrix4(world);
        lightOf("heat", force / this.largest, colour);
        at.push(new Vector4(p.x, p.y, p.z, MODULE * pair.said.size));
        const about = new Vector3().fromArray(axis).transformDirection(part.body.group.matrixWorld);
        const out = p.clone().sub(new Vector3().fromArray(centre).applyMatrix4(part.body.group.matrixWorld));
        up.push(out.addScaledVector(about, -out.dot(about)).normalize());
        side.push(about.cross(out));
        colours.push(new Vector4(colour[0], colour[1], colour[2], force > 0 ? 1 : 0));
      }
      give(part.material, { tintAt: at, tintUp: up, tintSide: side, tintColour: colours });
    }
  }
}
