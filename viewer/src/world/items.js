// Things by their names: bodies, parts of bodies, gear pairs, joints, springs; where they stand and how they are seen.
// @ts-check
import { Vector3 } from "three";
import { find } from "../data.js";

/** @typedef {import("./bodies.js").DrawnBody} DrawnBody */
/** @typedef {import("./bodies.js").DrawnPart} DrawnPart */
/** @typedef {import("../data.js").Block} Block */

/**
 * @typedef {{kind: "body", name: string, said: import("../data.js").BodySaid} | {kind: "part", name: string, said: import("../data.js").Part, body: string}
 *   | {kind: "pair", name: string, said: import("../data.js").PairSaid} | {kind: "joint", name: string, said: import("../data.js").JointSaid}
 *   | {kind: "spring", name: string, said: import("../data.js").SpringSaid}} Item
 */

/** What bears a name; a body before its parts. @param {Block} block @param {string} name @returns {Item | null} */
export function itemOf({ head }, name) {
  if (!name) return null;
  const body = head.bodies.find((b) => b.name === name);
  if (body) return { kind: "body", name, said: body };
  for (const b of head.bodies) for (const said of b.parts) if (said.name === name) return { kind: "part", name, said, body: b.name };
  const pair = head.pairs.find((p) => p.name === name);
  if (pair) return { kind: "pair", name, said: pair };
  const joint = head.joints.find((j) => j.name === name);
  if (joint) return { kind: "joint", name, said: joint };
  const spring = head.springs.find((s) => s.name === name);
  return spring ? { kind: "spring", name, said: spring } : null;
}

/** The body that an item belongs to, "" for none. @param {Item | null} item */
export function bodyOf(item) {
  if (!item) return "";
  if (item.kind === "body") return item.name;
  if (item.kind === "part") return item.body;
  if (item.kind === "pair") return item.said.body_a;
  if (item.kind === "joint") return item.said.body;
  return item.said.a.body;
}

/** Where items stand in what is shown. */
export class Places {
  /** @param {Block} block @param {import("./bodies.js").Bodies} bodies @param {import("three").Object3D} root */
  constructor(block, bodies, root) {
    this.block = block;
    this.bodies = bodies;
    this.root = root;
  }

  /** A place of a body; of the ground, or a body that is not drawn: of the scene. @param {string} body @param {readonly number[]} position */
  at(body, position) {
    return new Vector3().fromArray(position).applyMatrix4((this.bodies.byName.get(body)?.group ?? this.root).matrixWorld);
  }

  /** @param {string} body @param {readonly number[]} axis */
  direction(body, axis) {
    return new Vector3().fromArray(axis).transformDirection((this.bodies.byName.get(body)?.group ?? this.root).matrixWorld);
  }

  /** A gear by its name; of a body, its first. @param {string} name @returns {DrawnPart | undefined} */
  gear(name) {
    const gears = this.bodies.parts.filter(({ said }) => said.kind === "gear" || said.kind === "rack");
    return gears.find((p) => p.name === name) ?? gears.find((p) => p.body.name === name);
  }

  /** Outermost points. @param {Item} item @returns {Vector3[]} */
  points(item) {
    return this.corners(item).filter((p) => Number.isFinite(p.lengthSq()));
  }

  /** @param {Item} item @returns {Vector3[]} */
  corners(item) {
    if (item.kind === "body") {
      const body = this.bodies.byName.get(item.name);
      const own = body?.support.map((p) => p.clone().applyMatrix4(body.group.matrixWorld)) ?? [];
      return own.length ? own : [this.at(item.name, [0, 0, 0])];
    }
    if (item.kind === "part") {
      const part = this.bodies.parts.find((p) => p.said === item.said);
      return part?.shape.support.map((p) => p.clone().applyMatrix4(part.holder.matrixWorld)) ?? [];
    }
    if (item.kind === "pair") return [item.said.wheel_a, item.said.wheel_b].flatMap((name) => {
      const part = this.gear(name);
      return part?.shape.support.map((p) => p.clone().applyMatrix4(part.holder.matrixWorld)) ?? [];
    });
    if (item.kind === "joint") return [this.at(item.said.body, item.said.position)];
    return [this.at(item.said.a.body, item.said.a.position), this.at(item.said.b.body, item.said.b.position)];
  }

  /** A point on the axis of an item, and its direction. @param {Item | null} item @returns {{point: Vector3, axis: Vector3}} */
  axis(item) {
    if (item?.kind === "joint") return { point: this.at(item.said.body, item.said.position), axis: this.direction(item.said.body, item.said.axis) };
    if (item?.kind === "spring") {
      const point = this.at(item.said.a.body, item.said.a.position), axis = this.at(item.said.b.body, item.said.b.position).sub(point);
      return { point, axis: axis.lengthSq() ? axis.normalize() : new Vector3(0, 0, 1) };
    }
    const name = item?.kind === "pair" ? item.said.wheel_a : item?.name;
    const part = item?.kind === "part" ? this.bodies.parts.find((p) => p.said === item.said) : name ? this.gear(name) : this.bodies.parts.find((p) => p.said.kind === "gear");
    const matrix = (part?.holder ?? this.bodies.byName.get(bodyOf(item))?.group ?? this.root).matrixWorld;
    return { point: new Vector3().setFromMatrixPosition(matrix), axis: new Vector3(0, 0, 1).transformDirection(matrix) };
  }

  /** Where a pair touches at a time, or would: on the line between the centres. @param {import("../data.js").PairSaid} pair @param {number} t */
  mesh(pair, t) {
    if (pair.point) {
      const point = this.block.float(pair.point), { i } = find(this.block.time, t), k = point.length === 3 ? 0 : 3 * i;
      const found = new Vector3(point[k], point[k + 1], point[k + 2]);
      if (Number.isFinite(found.lengthSq()) && found.lengthSq() > 0) return found.applyMatrix4(this.root.matrixWorld);
    }
    const a = this.gear(pair.wheel_a), b = this.gear(pair.wheel_b);
    if (!a || !b) return null;
    const from = new Vector3().setFromMatrixPosition(a.holder.matrixWorld), to = new Vector3().setFromMatrixPosition(b.holder.matrixWorld);
    const [ra, rb] = [a, b].map((g) => Math.max(...g.shape.support.map((p) => Math.hypot(p.x, p.y))));
    // inside a ring the teeth lie beyond the smaller wheel's centre
    const internal = from.distanceTo(to) < Math.max(ra, rb) - 0.5 * Math.min(ra, rb);
    if (internal) return ra < rb ? from.clone().addScaledVector(from.clone().sub(to).normalize(), ra) : to.clone().addScaledVector(to.clone().sub(from).normalize(), rb);
    return from.lerp(to, ra / (ra + rb));
  }
}
