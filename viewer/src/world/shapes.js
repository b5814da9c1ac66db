// Geometries of the shapes that a block describes.
// @ts-check
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, EdgesGeometry, LatheGeometry, Matrix4, Quaternion, SphereGeometry,
  Vector2, Vector3,
} from "three";
import { outermost, outermostTurned } from "./extremes.js";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {import("../data.js").Shape} Shape */

/**
 * matrices: where the geometry is drawn, once or once a tooth; lines: edges as they stand in the part; support: its outermost points;
 * detail: the size of what its edges set apart [m], a pitch of a gear.
 * @typedef {{geometry: BufferGeometry, matrices: Matrix4[], lines: BufferGeometry | null, support: Vector3[], detail: number}} Made
 */

/** Corners up to which the pieces of a shape are joined to one geometry; above, one piece is drawn as often as there are pieces. */
const JOINED = 1_500_000;
const AROUND = 64;

/** @param {Block} block @param {string} name @param {Shape} shape @returns {Made} */
export function made(block, name, shape) {
  if (shape.type === "turned" || shape.type === "mesh") return surface(block, shape);
  const geometry = primitive(name, shape);
  const support = outermost(geometry.attributes.position.array);
  return { geometry, matrices: [new Matrix4()], lines: new EdgesGeometry(geometry, 30), support, detail: widest(support) };
}

/** Triangles with normals; of a gear one pitch, that stands `count` times about z. @param {Block} block @param {Shape} shape @returns {Made} */
function surface(block, shape) {
  const position = block.float(shape.position), count = shape.type === "turned" ? shape.count : 1;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  geometry.setAttribute("normal", new BufferAttribute(block.array(shape.normal), 3, true));
  geometry.setIndex(new BufferAttribute(block.array(shape.index), 1));
  const matrices = Array.from({ length: count }, (_, i) => new Matrix4().makeRotationZ((2 * Math.PI * i) / count));
  const support = count > 2 ? outermostTurned(position) : outermost(position);
  const detail = count > 2 ? (2 * Math.PI * Math.max(...support.map((p) => Math.hypot(p.x, p.y)))) / count : widest(support);
  const edge = shape.edge ? block.float(shape.edge) : null;
  const lines = edge && edge.length ? new BufferGeometry().setAttribute("position", new BufferAttribute(repeated(edge, matrices), 3)) : null;
  if (count > 1 && (position.length / 3) * count <= JOINED) return { geometry: joined(geometry, matrices), matrices: [new Matrix4()], lines, support, detail };
  return { geometry, matrices, lines, support, detail };
}

/** @param {ArrayLike<number>} points @param {Matrix4[]} matrices */
function repeated(points, matrices) {
  const all = new Float32Array(points.length * matrices.length), p = new Vector3();
  matrices.forEach((m, i) => {
    for (let k = 0; k < points.length; k += 3) p.set(points[k], points[k + 1], points[k + 2]).applyMatrix4(m).toArray(all, i * points.length + k);
  });
  return all;
}

/**
 * All pieces as one geometry. Corners on the border of two pieces are the same to the bit, or single pixels of what lies behind show
 * through the seams.
 * @param {BufferGeometry} piece @param {Matrix4[]} matrices about z, thus right for normals too
 */
function joined(piece, matrices) {
  const { position, normal } = piece.attributes, index = /** @type {BufferAttribute} */ (piece.index).array;
  const n = position.count, count = matrices.length, all = new Uint32Array(index.length * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < index.length; k++) all[i * index.length + k] = index[k] + i * n;
  const places = repeated(position.array, matrices), same = seam(position.array, matrices[1]);
  for (let i = 0; i < count; i++) {
    for (const [from, to] of same) places.copyWithin(3 * (((i + 1) % count) * n + to), 3 * (i * n + from), 3 * (i * n + from) + 3);
  }
  const across = Float32Array.from(normal.array, (v) => v / 127);
  return new BufferGeometry()
    .setAttribute("position", new BufferAttribute(places, 3))
    .setAttribute("normal", new BufferAttribute(repeated(across, matrices), 3))
    .setIndex(new BufferAttribute(all, 1));
}

/** Pairs of corners [of a piece, of the next one] that are one point. @param {ArrayLike<number>} position @param {Matrix4} next */
function seam(position, next) {
  let size = 0;
  for (let k = 0; k < position.length; k++) size = Math.max(size, Math.abs(position[k]));
  const cell = 1e-5 * size || 1, p = new Vector3();
  const key = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => `${x},${y},${z}`;
  /** @type {Map<string, number[]>} */
  const cells = new Map();
  for (let k = 0; k < position.length; k += 3) {
    const at = key(Math.round(position[k] / cell), Math.round(position[k + 1] / cell), Math.round(position[k + 2] / cell));
    cells.set(at, [...(cells.get(at) ?? []), k / 3]);
  }
  /** @type {[number, number][]} */
  const pairs = [];
  for (let k = 0; k < position.length; k += 3) {
    p.set(position[k], position[k + 1], position[k + 2]).applyMatrix4(next);
    const [x, y, z] = [p.x, p.y, p.z].map((v) => v / cell);
    for (const i of new Set([Math.floor(x), Math.ceil(x)])) for (const j of new Set([Math.floor(y), Math.ceil(y)])) for (const m of new Set([Math.floor(z), Math.ceil(z)])) {
      for (const other of cells.get(key(i, j, m)) ?? []) {
        if (Math.hypot(position[3 * other] - p.x, position[3 * other + 1] - p.y, position[3 * other + 2] - p.z) < 0.1 * cell) pairs.push([other, k / 3]);
      }
    }
  }
  return pairs;
}

/**
 * Simple solids, about their centre `at`: cylinder [radius, length, inner radius], cone [radius, radius at the other end, length],
 * capsule [radius, length without the caps], sphere [radius], box [three lengths].
 * @param {string} name @param {Shape} shape @returns {BufferGeometry}
 */
function primitive(name, shape) {
  const [a, b, c = 0] = shape.size ?? [];
  const axis = new Vector3().fromArray(shape.axis ?? [0, 0, 1]).normalize();
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), axis);
  /** @type {BufferGeometry} */
  let geometry;
  if (shape.type === "cylinder") geometry = c > 0 ? tube(a, b, c) : new CylinderGeometry(a, a, b, AROUND);
  else if (shape.type === "cone") geometry = new CylinderGeometry(b, a, c, AROUND);
  else if (shape.type === "capsule") geometry = new CapsuleGeometry(a, b, 12, AROUND);
  else if (shape.type === "sphere") geometry = new SphereGeometry(a, 48, 24);
  else if (shape.type === "box") {
    geometry = new BoxGeometry(a, b, c);
    const [x, y, z] = (shape.axes ?? [[1, 0, 0], [0, 1, 0], [0, 0, 1]]).map((v) => new Vector3().fromArray(v));
    turn.setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
  } else throw new Error(`The shape "${name}" has the type "${shape.type}", which this page does not support. Write the page again with the same version of pitchline.`);
  return geometry.applyMatrix4(new Matrix4().compose(new Vector3().fromArray(shape.at ?? [0, 0, 0]), turn, new Vector3(1, 1, 1)));
}

/** @param {number} outer @param {number} length @param {number} inner */
function tube(outer, length, inner) {
  const h = length / 2, corners = [[inner, -h], [outer, -h], [outer, h], [inner, h], [inner, -h]];
  // every corner twice: flat faces with sharp rims
  const walls = corners.slice(1).map((end, i) => new LatheGeometry([new Vector2(...corners[i]), new Vector2(...end)], AROUND));
  const points = walls.map((w) => w.attributes.position.count), total = points.reduce((s, n) => s + n, 0);
  const position = new Float32Array(3 * total), normal = new Float32Array(3 * total), index = [];
  let first = 0;
  for (const wall of walls) {
    position.set(wall.attributes.position.array, 3 * first);
    normal.set(wall.attributes.normal.array, 3 * first);
    for (const i of /** @type {BufferAttribute} */ (wall.index).array) index.push(i + first);
    first += wall.attributes.position.count;
  }
  return new BufferGeometry().setAttribute("position", new BufferAttribute(position, 3)).setAttribute("normal", new BufferAttribute(normal, 3)).setIndex(index);
}

/** @param {Vector3[]} points */
function widest(points) {
  const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
  for (const p of points) { low.min(p); high.max(p); }
  return points.length ? high.sub(low).length() : 0;
}
