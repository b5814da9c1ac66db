// Forces and torques as arrows where they act. Their lengths are lengths on the screen, with one scale for all forces and one for
// all torques: they stay readable from afar and close by, and a legend can say what is how long.
// @ts-check
import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, TorusGeometry, Vector3 } from "three";
import { find } from "../data.js";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {import("../data.js").ArrowSaid} ArrowSaid */
/** @typedef {{body: string, position: number[]}} Place */
/** @typedef {(body: string) => Matrix4 | null} PoseOf Where a body stands, null for one that is not drawn. */

/** Groups in the order of the panel. */
export const GROUPS = /** @type {const} */ ({
  mesh: { label: "Teeth and cams", colour: "#d1470b" },
  bearing: { label: "Bearings, bushings, couplings", colour: "#0072b2" },
  load: { label: "Loads and drives", colour: "#008a63" },
  spring: { label: "Springs", colour: "#a3498b" },
  joint: { label: "Joint reactions", colour: "#6b7280" },
});

/** More arrows of a group than this hide what they stand on: they are off at first. */
export const MANY = 40;
/** Length of the greatest arrow [px] at the scale 1. */
export const LONGEST = 120;
const SHORTEST = 3, SHAFT = 2, HEAD = 17, HEAD_WIDTH = 6;
const Z = new Vector3(0, 0, 1);

/** One arrow: what it says, and where and how large it is at a sample. */
class Arrow {
  /** @param {Block} block @param {ArrowSaid} said */
  constructor(block, said) {
    this.said = said;
    this.samples = block.time.length;
    this.values = block.columns(/** @type {string} */ (said.vector ?? said.value));
    this.points = said.point ? block.columns(said.point) : null;
    this.size = said.vector ? 3 : 1;
    if (this.values.length !== this.size * this.samples || (this.points && this.points.length !== 3 * this.samples)) {
      throw new Error(`The arrow "${said.name}" does not have as many samples as the view.`);
    }
    this.largest = 0;
    for (let i = 0; i < this.samples; i++) this.largest = Math.max(this.largest, this.magnitude(i) || 0);
    this.point = new Vector3();
    this.vector = new Vector3();
    this.shown = false;
    this.tip = new Vector3();
  }

  /** @param {number} i */
  magnitude(i) {
    const v = this.values, n = this.samples;
    return this.size === 1 ? Math.abs(v[i]) : Math.hypot(v[i], v[n + i], v[2 * n + i]);
  }

  /** Point and vector at a sample and a part of the way to the next; false where they are not known. @param {number} i @param {number} f @param {PoseOf} poseOf */
  at(i, f, poseOf) {
    const { said, samples: n } = this, j = Math.min(i + 1, n - 1);
    const between = (/** @type {Float32Array} */ a, /** @type {number} */ row) => a[row * n + i] + (a[row * n + j] - a[row * n + i]) * f;
    if (this.points) this.point.set(between(this.points, 0), between(this.points, 1), between(this.points, 2));
    else if (!said.at || !placed(said.at, poseOf, this.point)) return false;
    if (this.size === 3) {
      this.vector.set(between(this.values, 0), between(this.values, 1), between(this.values, 2));
    } else if (said.along) {
      const pose = poseOf(said.along.body);
      if (!pose) return false;
      this.vector.fromArray(said.along.direction).transformDirection(pose).multiplyScalar(between(this.values, 0));
    } else if (said.from && said.to) {
      const from = new Vector3();
      if (!placed(said.from, poseOf, from) || !placed(said.to, poseOf, this.vector)) return false;
      this.vector.sub(from).normalize().multiplyScalar(between(this.values, 0));
    }
    return Number.isFinite(this.vector.lengthSq()) && Number.isFinite(this.point.lengthSq());
  }
}

/** @param {Place} place @param {PoseOf} poseOf @param {Vector3} out */
function placed(place, poseOf, out) {
  const pose = poseOf(place.body);
  if (pose) out.fromArray(place.position).applyMatrix4(pose);
  return pose !== null;
}

export class Arrows {
  /** @param {Block} block */
  constructor(block) {
    this.block = block;
    this.root = new Group();
    this.all = block.head.arrows.map((said) => new Arrow(block, said));
    const n = Math.max(1, 2 * this.all.length);
    // one end at the origin, along z, of length and radius one; an arc of three quarters with its head
    const shaft = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    const head = new ConeGeometry(1, 1, 14).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    const arc = new TorusGeometry(1, 0.09, 8, 40, 1.5 * Math.PI);
    const point = new ConeGeometry(0.3, 0.62, 12).rotateZ(-Math.PI / 2).translate(0.1, -1, 0);
    this.meshes = [shaft, head, arc, point].map((geometry, kind) => ({
      // seen through what is in front of it, faintly, and in full where nothing is
      faint: instances(geometry, new MeshBasicMaterial({ transparent: true, opacity: 0.38, depthTest: false, depthWrite: false }), kind === 1 ? 2 * n : n, 5),
      full: instances(geometry, new MeshBasicMaterial({ transparent: true }), kind === 1 ? 2 * n : n, 6),
    }));
    for (const { faint, full } of this.meshes) this.root.add(faint, full);
  }

  /** Which groups there are, and how many arrows each has. */
  groups() {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const { said } of this.all) found.set(said.group, (found.get(said.group) ?? 0) + 1);
    return found;
  }

  /** The greatest force or torque of the groups that are shown. @param {"force" | "torque"} kind @param {ReadonlySet<string>} groups */
  largest(kind, groups) {
    return Math.max(0, ...this.all.filter(({ said }) => said.kind === kind && groups.has(said.group)).map((arrow) => arrow.largest));
  }

  /**
   * Place all arrows. scale: of the lengths. pixel: length of a pixel of the screen in the scene [m].
   * @param {number} t @param {{groups: ReadonlySet<string>, hidden: ReadonlySet<string>, scale: number, reactions: boolean}} how @param {number} pixel @param {PoseOf} poseOf
   */
  place(t, how, pixel, poseOf) {
    const { i, f } = find(this.block.time, t);
    const scale = { force: 0, torque: 0 };
    for (const kind of /** @type {const} */ (["force", "torque"])) {
      const largest = this.largest(kind, how.groups);
      scale[kind] = largest > 0 ? (LONGEST * how.scale) / largest : 0;
    }
    this.scale = scale;
    const counts = [0, 0, 0, 0];
    const add = (/** @type {number} */ kind, /** @type {Matrix4} */ matrix, /** @type {Color} */ colour) => {
      for (const mesh of [this.meshes[kind].faint, this.meshes[kind].full]) {
        mesh.setMatrixAt(counts[kind], matrix);
        mesh.setColorAt(counts[kind], colour);
      }
      counts[kind] += 1;
    };
    for (const arrow of this.all) {
      const { said } = arrow;
      arrow.shown = how.groups.has(said.group) && !how.hidden.has(said.of) && arrow.at(i, f, poseOf);
      if (!arrow.shown) continue;
      const length = arrow.vector.length() * scale[said.kind];
      arrow.shown = length > SHORTEST;
      if (!arrow.shown) continue;
      const colour = new Color(GROUPS[/** @type {keyof typeof GROUPS} */ (said.group)]?.colour ?? "#444444");
      const direction = arrow.vector.clone().normalize();
      arrow.tip.copy(arrow.point).addScaledVector(direction, length * pixel);
      drawn(add, arrow.point, direction, length, pixel, said.kind === "torque", colour);
      if (how.reactions && said.opposite !== undefined) drawn(add, arrow.point, direction.clone().negate(), length, pixel, said.kind === "torque", colour);
    }
    this.meshes.forEach(({ faint, full }, kind) => {
      for (const mesh of [faint, full]) {
        mesh.count = counts[kind];
        mesh.instanceMatrix.needsUpdate = true;
        if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      }
    });
  }
}

/** One arrow from its point; lengths in pixels. Torques have two heads and turn about the arrow by the right hand. */
/** @param {(kind: number, matrix: Matrix4, colour: Color) => void} add @param {Vector3} from @param {Vector3} direction @param {number} length @param {number} pixel @param {boolean} torque @param {Color} colour */
function drawn(add, from, direction, length, pixel, torque, colour) {
  const turn = new Quaternion().setFromUnitVectors(Z, direction);
  const head = Math.min(HEAD, 0.5 * length), thin = Math.min(1, head / HEAD) * pixel;
  const heads = torque ? 2 : 1;
  const at = (/** @type {number} */ along) => from.clone().addScaledVector(direction, along * pixel);
  const size = (/** @type {number} */ radius, /** @type {number} */ long) => new Vector3(radius, radius, long);
  add(0, new Matrix4().compose(from, turn, size(SHAFT * thin, (length - 0.8 * head) * pixel)), colour);
  for (let k = 0; k < heads; k++) add(1, new Matrix4().compose(at(length - head * (1 + 0.7 * k)), turn, size(HEAD_WIDTH * thin, head * pixel)), colour);
  if (!torque) return;
  const radius = Math.min(0.28 * length, 22) * pixel;
  const round = new Matrix4().compose(at(0.45 * length), turn, new Vector3(radius, radius, radius));
  add(2, round, colour);
  add(3, round, colour);
}

/** @param {import("three").BufferGeometry} geometry @param {import("three").Material} material @param {number} count @param {number} order */
function instances(geometry, material, count, order) {
  const mesh = new InstancedMesh(geometry, material, count);
  mesh.frustumCulled = false;
  mesh.renderOrder = order;
  mesh.raycast = () => {}; // parts are picked through arrows
  mesh.count = 0;
  return mesh;
}
