// A shaft that is drawn as one body, bent and twisted smoothly between its stations: its line by cubics through the stations with
// their slopes, its sections turned as the stations turn, in between in proportion.
// @ts-check
import { BufferAttribute, BufferGeometry, Matrix4, Mesh, Quaternion, Vector3 } from "three";

/** @typedef {import("./bodies.js").DrawnBody} DrawnBody */
/** @typedef {import("./bodies.js").DrawnPart} DrawnPart */

/** Corners and edges of one part as they are at rest, and where they are on the line of the shaft. */
class Soft {
  /** @param {BufferGeometry} geometry whose own arrays are written to @param {Line} line in the axes of the geometry */
  constructor(geometry, line) {
    this.position = /** @type {BufferAttribute} */ (geometry.attributes.position);
    this.normal = /** @type {BufferAttribute | undefined} */ (geometry.attributes.normal);
    this.points = Float32Array.from(this.position.array);
    this.normals = this.normal ? Float32Array.from(this.normal.array) : new Float32Array(0);
    const n = this.points.length / 3;
    this.piece = new Uint16Array(n); // between which stations
    this.part = new Float32Array(n); // how far between them, 0 to 1; what is outside of all of them follows the last one
    const p = new Vector3();
    for (let i = 0; i < n; i++) {
      const s = p.fromArray(this.points, 3 * i).sub(line.start).dot(line.along);
      const inside = Math.min(Math.max(s, line.places[0]), line.places[line.places.length - 1]);
      let k = 0;
      while (k < line.places.length - 2 && inside > line.places[k + 1]) k += 1;
      const length = line.places[k + 1] - line.places[k];
      this.piece[i] = k;
      this.part[i] = length > 0 ? (inside - line.places[k]) / length : 0;
    }
  }
}

/** The line of a shaft in the axes of a part. start: of the places; along: unit vector; places: of the stations, rising [m]. */
/** @typedef {{start: Vector3, along: Vector3, places: number[], back: Quaternion}} Line */

export class BentShaft {
  /**
   * @param {DrawnBody} shaft as it stands at rest, its group placed @param {{x: Vector3, number: number}[]} stations where they rest in the
   * world, and the numbers by which their motion is told; two or more
   */
  constructor(shaft, stations) {
    this.shaft = shaft;
    const from = stations[0].x, far = stations.reduce((a, b) => (b.x.distanceTo(from) > a.x.distanceTo(from) ? b : a));
    const along = far.x.clone().sub(from).normalize();
    const placed = stations.map((s) => ({ ...s, place: s.x.clone().sub(from).dot(along) })).sort((a, b) => a.place - b.place);
    this.numbers = placed.map((s) => s.number);
    this.places = placed.map((s) => s.place);
    shaft.group.updateMatrixWorld(true);
    this.parts = shaft.parts.map((part) => this.soften(part, from, along));
  }

  /** @param {DrawnPart} part @param {Vector3} from @param {Vector3} along */
  soften(part, from, along) {
    const { shape, holder, lines, mesh } = part;
    const whole = new Matrix4().compose(this.shaft.group.position, this.shaft.group.quaternion, new Vector3(1, 1, 1)).multiply(holder.matrix);
    const back = whole.clone().invert(), turn = new Quaternion().setFromRotationMatrix(back);
    const line = { start: from.clone().applyMatrix4(back), along: along.clone().applyQuaternion(turn), places: this.places, back: turn };
    const faces = joined(shape.geometry, shape.matrices);
    const drawn = new Mesh(faces, part.material);
    drawn.userData.part = part;
    holder.remove(mesh);
    holder.add(drawn);
    part.mesh = drawn;
    const soft = [new Soft(faces, line)];
    if (lines) {
      lines.geometry = lines.geometry.clone(); // equal shafts share one
      soft.push(new Soft(lines.geometry, line));
    }
    drawn.frustumCulled = false; // it leaves its box
    return { line, soft, geometries: [faces, ...(lines ? [lines.geometry] : [])] };
  }

  /** Bend. @param {(number: number, i: number) => number} motion translation (i = 0, 1, 2) [m] and rotation vector (3, 4, 5) [rad] of a station, world axes */
  bend(motion) {
    for (const { line, soft } of this.parts) {
      const at = this.numbers.map((number) => ({
        u: new Vector3(motion(number, 0), motion(number, 1), motion(number, 2)).applyQuaternion(line.back),
        turn: new Vector3(motion(number, 3), motion(number, 4), motion(number, 5)).applyQuaternion(line.back),
      }));
      for (const one of soft) bent(one, line, at);
    }
  }

  /** Colours of all corners, in proportion between the stations. @param {number[]} sizes motions of all bodies, by their numbers [m] @param {(size: number) => import("three").Color} heat */
  paint(sizes, heat) {
    for (const { soft: [{ piece, part }], geometries: [faces] } of this.parts) {
      const colours = new Float32Array(3 * piece.length);
      piece.forEach((k, i) => heat(sizes[this.numbers[k]] * (1 - part[i]) + sizes[this.numbers[k + 1]] * part[i]).toArray(colours, 3 * i));
      faces.setAttribute("color", new BufferAttribute(colours, 3));
    }
    return this.shaft.parts;
  }

  dispose() {
    for (const { geometries } of this.parts) for (const geometry of geometries) geometry.dispose();
  }
}

const u = new Vector3(), turn = new Vector3(), slope = new Vector3(), p = new Vector3(), foot = new Vector3(), q = new Quaternion();

/** @param {Soft} soft @param {Line} line @param {{u: Vector3, turn: Vector3}[]} at */
function bent({ position, normal, points, normals, piece, part }, line, at) {
  const { along, places, start } = line;
  for (let i = 0; i < piece.length; i++) {
    const k = piece[i], t = part[i], a = at[k], b = at[k + 1], length = places[k + 1] - places[k];
    // cubic between the stations across the line, straight along it
    const h0 = 1 - t * t * (3 - 2 * t), h1 = t * t * (3 - 2 * t), g0 = length * t * (1 - t) * (1 - t), g1 = -length * t * t * (1 - t);
    u.copy(a.u).multiplyScalar(h0).addScaledVector(b.u, h1);
    u.addScaledVector(slope.crossVectors(a.turn, along), g0).addScaledVector(slope.crossVectors(b.turn, along), g1);
    const axial = a.u.dot(along) * (1 - t) + b.u.dot(along) * t;
    u.addScaledVector(along, axial - u.dot(along));
    turn.copy(a.turn).multiplyScalar(1 - t).addScaledVector(b.turn, t);
    p.fromArray(points, 3 * i);
    const s = places[k] + t * length;
    foot.copy(start).addScaledVector(along, s);
    p.sub(foot);
    const angle = turn.length();
    if (angle) {
      q.setFromAxisAngle(turn.divideScalar(angle), angle);
      p.applyQuaternion(q);
    }
    p.add(foot).add(u).toArray(position.array, 3 * i);
    if (normal) {
      p.fromArray(normals, 3 * i);
      if (angle) p.applyQuaternion(q);
      p.toArray(normal.array, 3 * i);
    }
  }
  position.needsUpdate = true;
  if (normal) normal.needsUpdate = true;
}

/** One geometry of all pieces, with arrays of its own. @param {BufferGeometry} piece @param {Matrix4[]} matrices */
function joined(piece, matrices) {
  const n = piece.attributes.position.count, index = piece.index?.array ?? Uint32Array.from({ length: n }, (_, i) => i);
  const points = new Float32Array(3 * n * matrices.length), normals = new Float32Array(points.length), all = new Uint32Array(index.length * matrices.length);
  const v = new Vector3();
  matrices.forEach((m, j) => {
    for (let i = 0; i < n; i++) {
      v.fromBufferAttribute(piece.attributes.position, i).applyMatrix4(m).toArray(points, 3 * (j * n + i));
      v.fromBufferAttribute(piece.attributes.normal, i).transformDirection(m).toArray(normals, 3 * (j * n + i));
    }
    for (let i = 0; i < index.length; i++) all[j * index.length + i] = index[i] + j * n;
  });
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(points, 3));
  made.setAttribute("normal", new BufferAttribute(normals, 3));
  made.setIndex(new BufferAttribute(all, 1));
  return made;
}
