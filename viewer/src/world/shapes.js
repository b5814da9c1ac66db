// Geometries of the shapes that a block describes.
// @ts-check
import { BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, Matrix4, Quaternion, SphereGeometry, Vector3 } from "three";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {import("../data.js").Shape} Shape */
/** matrices: where the geometry is drawn, once or once a tooth; lines: edges as they stand in the part. */
/** @typedef {{geometry: BufferGeometry, matrices: Matrix4[], lines: BufferGeometry | null}} Made */

/** @param {Block} block @param {Shape} shape @returns {Made} */
export function made(block, shape) {
  if (shape.type === "turned" || shape.type === "mesh") return surface(block, shape);
  const geometry = primitive(shape);
  return { geometry, matrices: [new Matrix4()], lines: null };
}

/** Triangles with normals; of a gear one pitch, that stands `count` times about z. @param {Block} block @param {Shape} shape @returns {Made} */
function surface(block, shape) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(block.float(shape.position), 3));
  geometry.setAttribute("normal", new BufferAttribute(block.array(shape.normal), 3, true));
  geometry.setIndex(new BufferAttribute(block.array(shape.index), 1));
  const count = shape.type === "turned" ? shape.count : 1;
  const matrices = Array.from({ length: count }, (_, i) => new Matrix4().makeRotationZ((2 * Math.PI * i) / count));
  if (!shape.edge) return { geometry, matrices, lines: null };
  const edge = block.float(shape.edge);
  const all = new Float32Array(edge.length * count);
  const p = new Vector3();
  matrices.forEach((m, i) => {
    for (let k = 0; k < edge.length; k += 3) p.fromArray(edge, k).applyMatrix4(m).toArray(all, i * edge.length + k);
  });
  const lines = new BufferGeometry();
  lines.setAttribute("position", new BufferAttribute(all, 3));
  return { geometry, matrices, lines };
}

/** @param {Shape} shape @returns {BufferGeometry} */
function primitive(shape) {
  const [a, b, c] = shape.size;
  /** @type {BufferGeometry} */
  let geometry;
  const turn = new Quaternion();
  if (shape.type === "cylinder") {
    geometry = new CylinderGeometry(a, a, b, 64);
    turn.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3().fromArray(shape.axis).normalize());
  } else if (shape.type === "sphere") {
    geometry = new SphereGeometry(a, 48, 24);
  } else {
    geometry = new BoxGeometry(a, b, c);
    const [x, y, z] = shape.axes.map((axis) => new Vector3().fromArray(axis));
    turn.setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
  }
  return geometry.applyMatrix4(new Matrix4().compose(new Vector3().fromArray(shape.at), turn, new Vector3(1, 1, 1)));
}
