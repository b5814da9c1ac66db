// Joints as symbols: a ring about an axis, a slide, a ball, a plate. Drawn over the bodies, thin.
// @ts-check
import { BufferGeometry, Group, LineBasicMaterial, LineSegments, Vector3 } from "three";

/** @typedef {import("../data.js").JointSaid} JointSaid */

const COLOUR = "#c2410c", CHOSEN = "#1f6feb";

export class Joints {
  /** @param {import("../data.js").Block} block @param {import("./bodies.js").Bodies} bodies @param {number} size of the scene [m] */
  constructor(block, bodies, size) {
    this.root = new Group();
    this.all = block.head.joints.map((said) => {
      const symbol = new LineSegments(geometryOf(said.kind), new LineBasicMaterial({ color: COLOUR, depthTest: false, transparent: true, opacity: 0.7 }));
      symbol.renderOrder = 2;
      symbol.position.fromArray(said.position);
      symbol.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3().fromArray(said.axis).normalize());
      symbol.scale.setScalar(said.size || 0.03 * size);
      const holder = new Group();
      holder.add(symbol);
      this.root.add(holder);
      return { said, symbol, holder, body: bodies.byName.get(said.body), other: bodies.byName.get(said.other) };
    });
  }

  show() {
    const scale = new Vector3();
    for (const { holder, body } of this.all) if (body) body.group.matrix.decompose(holder.position, holder.quaternion, scale);
  }

  /** @param {{hidden: ReadonlySet<string>, selected: string}} state @param {boolean} wanted */
  mark({ hidden, selected }, wanted) {
    for (const { said, symbol, holder, body, other } of this.all) {
      const alone = [body, other].every((b) => !b || hidden.has(b.name) || !b.parts.length) && [body, other].some((b) => b && hidden.has(b.name));
      holder.visible = said.name === selected || (wanted && !hidden.has(said.name) && !alone);
      symbol.material.color.set(said.name === selected ? CHOSEN : COLOUR);
    }
  }
}

/** Lines about the z axis, of size one. @param {string} kind */
function geometryOf(kind) {
  /** @type {Vector3[]} */
  const points = [];
  const line = (/** @type {number[]} */ a, /** @type {number[]} */ b) => points.push(new Vector3(...a), new Vector3(...b));
  const ring = (/** @type {number} */ r, /** @type {(c: number, s: number) => number[]} */ place) => {
    const at = (/** @type {number} */ i) => place(r * Math.cos((i * Math.PI) / 12), r * Math.sin((i * Math.PI) / 12));
    for (let k = 0; k < 24; k++) line(at(k), at(k + 1));
  };
  const flat = (/** @type {number} */ z) => (/** @type {number} */ c, /** @type {number} */ s) => [c, s, z];
  const square = (/** @type {number} */ r, /** @type {number} */ z) => [[1, 1], [-1, 1], [-1, -1], [1, -1]].forEach(([x, y], k, all) => line([r * x, r * y, z], [r * all[(k + 1) % 4][0], r * all[(k + 1) % 4][1], z]));
  const turns = /revol|cylind|screw|hinge/.test(kind), slides = /prism|slid|cylind|transl|screw/.test(kind);
  if (/spher|ball/.test(kind)) {
    ring(0.6, flat(0));
    ring(0.6, (c, s) => [c, 0, s]);
    ring(0.6, (c, s) => [0, c, s]);
  } else if (/univ|cardan/.test(kind)) {
    ring(0.6, (c, s) => [c, 0, s]);
    ring(0.6, (c, s) => [0, c, s]);
    line([-1, 0, 0], [1, 0, 0]);
    line([0, -1, 0], [0, 1, 0]);
  } else if (/fix|weld|rigid/.test(kind)) {
    square(0.3, -0.3);
    square(0.3, 0.3);
    for (const [x, y] of [[1, 1], [-1, 1], [-1, -1], [1, -1]]) line([0.3 * x, 0.3 * y, -0.3], [0.3 * x, 0.3 * y, 0.3]);
  } else {
    line([0, 0, -1.2], [0, 0, 1.2]);
    if (turns) for (const z of [-0.35, 0.35]) ring(0.6, flat(z));
    if (slides) {
      for (const z of [-0.6, 0.6]) square(0.4, z);
      for (const s of [-1, 1]) for (const x of [-0.15, 0.15]) line([0, 0, 1.2 * s], [x, 0, 0.95 * s]);
    }
    if (/plan/.test(kind)) square(0.8, 0);
    if (!turns && !slides && !/plan/.test(kind)) { line([-0.6, 0, 0], [0.6, 0, 0]); line([0, -0.6, 0], [0, 0.6, 0]); }
  }
  return new BufferGeometry().setFromPoints(points);
}
