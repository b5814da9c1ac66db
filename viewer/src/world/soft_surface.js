// The surface of a flexible body whose points each move in a mode.
// @ts-check
import { BufferAttribute, BufferGeometry, LineSegments, Matrix3, Matrix4, Mesh, Vector3 } from "three";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {{name: string, position: string, index: string, edge: string, motion: string, scale: string}} SurfaceSaid */

export class SoftSurface {
  /** @param {Block} block @param {SurfaceSaid} said @param {import("./bodies.js").DrawnBody} body that stands as it does at rest; its own faces are taken away */
  constructor(block, said, body) {
    this.body = body;
    this.points = block.float(said.position);
    /** @type {Uint32Array} */
    this.index = block.array(said.index);
    /** @type {Uint32Array} */
    this.edge = block.array(said.edge);
    /** Whole numbers, to be multiplied by the scale of each mode. @type {Int16Array} */
    this.motion = block.array(said.motion);
    /** @type {Float64Array} */
    this.scale = block.array(said.scale);
    const n = this.points.length / 3;
    const outside = (/** @type {Uint32Array} */ numbers) => numbers.some((k) => k >= n);
    if (this.motion.length !== 6 * n * this.scale.length || outside(this.index) || outside(this.edge)) throw new Error(`The surface of "${said.name}" is damaged. Write the view again.`);
    this.modes = this.scale.length;
    const part = body.parts[0], { holder } = part;
    const back = new Matrix4().compose(body.group.position, body.group.quaternion, new Vector3(1, 1, 1)).multiply(holder.matrix).invert();
    this.turn = new Matrix3().setFromMatrix4(back).elements;
    this.rest = new Float32Array(3 * n);
    const p = new Vector3();
    for (let i = 0; i < n; i++) p.fromArray(this.points, 3 * i).applyMatrix4(back).toArray(this.rest, 3 * i);
    this.now = Float32Array.from(this.rest);
    this.faces = new BufferGeometry();
    for (const name of ["position", "normal"]) this.faces.setAttribute(name, new BufferAttribute(new Float32Array(3 * this.index.length), 3));
    this.lines = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(3 * this.edge.length), 3));
    const mesh = new Mesh(this.faces, part.material), lines = new LineSegments(this.lines, part.edges);
    mesh.userData.part = part;
    mesh.frustumCulled = lines.frustumCulled = false; // they leave their boxes
    for (const { holder: other, mesh: old, lines: edges } of body.parts) other.remove(old, ...(edges ? [edges] : []));
    holder.add(mesh, lines);
    Object.assign(part, { mesh, lines });
    this.fill();
  }

  /** The largest motion of a point in a mode [m]. @param {number} column */
  largest(column) {
    const n = this.points.length / 3, first = 6 * n * column;
    let most = 0;
    if (column < this.modes) for (let i = first; i < first + 6 * n; i += 6) most = Math.max(most, Math.hypot(...this.motion.subarray(i, i + 6)));
    return most * (this.scale[column] ?? 0);
  }

  /** Colours of all corners. @param {number} column @param {(size: number) => import("three").Color} heat of a motion [m] */
  paint(column, heat) {
    const { index, motion } = this, n = this.points.length / 3, colours = new Float32Array(3 * index.length);
    const scale = this.scale[column] ?? 0;
    index.forEach((k, i) => heat(scale && scale * Math.hypot(...motion.subarray(6 * (n * column + k), 6 * (n * column + k) + 6))).toArray(colours, 3 * i));
    this.faces.setAttribute("color", new BufferAttribute(colours, 3));
    return [this.body.parts[0]];
  }

  /** @param {number} column @param {number} c of the real parts @param {number} s of the imaginary parts, to be taken away */
  show(column, c, s) {
    const { motion, rest, now, turn: R } = this, n = rest.length / 3, there = column < this.modes && (c !== 0 || s !== 0);
    c *= this.scale[column] ?? 0;
    s *= this.scale[column] ?? 0;
    for (let i = 0; i < n; i++) {
      const k = 6 * (n * column + i);
      const x = there ? c * motion[k] - s * motion[k + 1] : 0, y = there ? c * motion[k + 2] - s * motion[k + 3] : 0, z = there ? c * motion[k + 4] - s * motion[k + 5] : 0;
      now[3 * i] = rest[3 * i] + R[0] * x + R[3] * y + R[6] * z;
      now[3 * i + 1] = rest[3 * i + 1] + R[1] * x + R[4] * y + R[7] * z;
      now[3 * i + 2] = rest[3 * i + 2] + R[2] * x + R[5] * y + R[8] * z;
    }
    this.fill();
  }

  /** Corners of faces with their normals, and ends of edges. */
  fill() {
    const { index, edge, now } = this;
    const position = this.faces.attributes.position, normal = this.faces.attributes.normal, ends = this.lines.attributes.position;
    const a = new Vector3(), b = new Vector3(), c = new Vector3();
    for (let t = 0; t < index.length; t += 3) {
      a.fromArray(now, 3 * index[t]).toArray(position.array, 3 * t);
      b.fromArray(now, 3 * index[t + 1]).toArray(position.array, 3 * t + 3);
      c.fromArray(now, 3 * index[t + 2]).toArray(position.array, 3 * t + 6);
      b.sub(a).cross(c.sub(a)).normalize();
      for (let k = 0; k < 3; k++) b.toArray(normal.array, 3 * (t + k));
    }
    for (let k = 0; k < edge.length; k++) a.fromArray(now, 3 * edge[k]).toArray(ends.array, 3 * k);
    position.needsUpdate = normal.needsUpdate = ends.needsUpdate = true;
  }

  dispose() {
    this.faces.dispose();
    this.lines.dispose();
  }
}
