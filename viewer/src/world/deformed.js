// Shafts that bend and what stands on them, with displacements magnified (src/pitchline/parts/flexible/scene.py).
// @ts-check
import { BufferAttribute, Matrix3, Matrix4, Quaternion, Vector3, Vector4 } from "three";
import { find } from "../data.js";
import { define, give } from "./painted.js";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {import("./bodies.js").DrawnBody} DrawnBody */
/** @typedef {{body: string, place?: number, shift: string, tilt: string}} StationSaid */
/** @typedef {{name: string, kind: string, stations: StationSaid[], largest: number, largest_across?: number, axis?: number[], text: string, moves_with?: string, field?: FieldSaid}} StructureSaid */
/** Fields over the corners and edges of a surface, how large each is at a sample, and the pose of its body without displacements. @typedef {{count: number, corners: string, edges: string, amounts: string, position: number[], quaternion: number[]}} FieldSaid */
/** @typedef {{body: DrawnBody | undefined, place: number, shift: Float32Array, tilt: Float32Array, d: Vector3, t: Vector3}} Station d, t: displacement and tilt now */

const MOST = 60; // stations that a shader takes

/** Of a structure. */
class Structure {
  /** @param {Block} block @param {import("./bodies.js").Bodies} bodies @param {StructureSaid} said */
  constructor(block, bodies, said) {
    this.said = said;
    this.samples = block.time.length;
    /** @type {Station[]} */
    this.stations = said.stations.map(({ body, place, shift, tilt }) => ({
      body: bodies.byName.get(body), place: place ?? 0, shift: block.columns(shift), tilt: block.columns(tilt), d: new Vector3(), t: new Vector3(),
    }));
    for (const { shift, tilt } of this.stations) {
      if (shift.length !== 3 * this.samples || tilt.length !== 3 * this.samples) throw new Error(`The displacements of "${said.name}" do not have as many samples as the view.`);
    }
    this.whole = bodies.byName.get(said.name);
    this.middle = this.stations.find(({ body }) => body && body.name === said.moves_with);
    const every = Math.ceil(this.stations.length / MOST);
    this.kept = this.stations.filter((_, k) => k % every === 0 || k === this.stations.length - 1);
    this.bends = said.kind === "shaft" && !!this.whole && !!this.middle && this.kept.length > 1;
    this.field = said.field && this.whole ? new Field(block, said.field, this.whole) : null;
    if (!this.bends || !this.whole) return;
    for (const { material, edges, mesh, lines } of this.whole.parts) {
      // a shader reads only what is there when it is made
      for (const one of [material, edges]) {
        define(one, "BEND", this.kept.length);
        give(one, { bendShift: this.kept.map(({ place }) => new Vector4(0, 0, 0, place)), bendTilt: this.kept.map(() => new Vector3()), magnify: 1 });
      }
      mesh.frustumCulled = false; // bent it may reach further than its sphere
      if (lines) lines.frustumCulled = false;
    }
  }

  /** The largest displacement [m]. @param {boolean} axial whether those along the axes of shafts count */
  largest(axial) {
    return axial ? this.said.largest : (this.said.largest_across ?? this.said.largest);
  }

  /** Displacements at a sample and a part of the way to the next. @param {number} i @param {number} f @param {boolean} axial */
  read(i, f, axial) {
    const n = this.samples, j = Math.min(i + 1, n - 1);
    const at = (/** @type {Float32Array} */ a, /** @type {Vector3} */ out) => {
      for (let k = 0; k < 3; k++) out.setComponent(k, a[k * n + i] + (a[k * n + j] - a[k * n + i]) * f || 0);
    };
    const axis = !axial && this.said.axis ? new Vector3().fromArray(this.said.axis) : null;
    for (const { shift, tilt, d, t } of this.stations) {
      at(shift, d);
      at(tilt, t);
      if (axis) d.addScaledVector(axis, -d.dot(axis));
    }
  }

  /** Bodies stand as they are; move them on by what is to be added. @param {number} i @param {number} f @param {number} magnification */
  show(i, f, magnification) {
    for (const { body, d, t } of this.stations) if (body) moved(body, d, t, magnification - 1);
    const { whole, middle } = this;
    if (this.field) this.field.show(i, f, magnification);
    if (!whole || !middle || this.field) return;
    // a shaft stands straight and its shader bends it; another structure goes with its station
    moved(whole, middle.d, middle.t, this.bends ? -1 : magnification - 1);
    if (!this.bends) return;
    whole.group.updateMatrix();
    for (const { holder, material, edges } of whole.parts) {
      const inside = new Matrix3().setFromMatrix4(new Matrix4().multiplyMatrices(whole.group.matrix, holder.matrix)).transpose();
      const values = {
        bendShift: this.kept.map(({ d, place }) => { const v = d.clone().applyMatrix3(inside); return new Vector4(v.x, v.y, v.z, place); }),
        bendTilt: this.kept.map(({ t }) => t.clone().applyMatrix3(inside)), magnify: magnification,
      };
      for (const one of [material, edges]) give(one, values);
    }
  }

  /** @param {boolean} on @param {number} largest */
  use(on, largest) {
    for (const body of [this.whole, ...this.stations.map((station) => station.body)]) {
      for (const { material } of body?.parts ?? []) {
        define(material, "SHIFTED", on ? "" : null);
        give(material, { shiftLargest: largest || 1, shift: new Vector3(), tilt: new Vector3(), shiftFrom: new Vector3() });
      }
    }
  }

  /** What colours the parts that move with one station. */
  colour() {
    for (const { body, d, t } of [...this.stations, ...(this.bends || !this.middle ? [] : [{ ...this.middle, body: this.whole }])]) {
      if (!body) continue;
      body.group.updateMatrix();
      for (const { holder, material } of body.parts) {
        const inside = new Matrix3().setFromMatrix4(new Matrix4().multiplyMatrices(body.group.matrix, holder.matrix)).transpose();
        give(material, { shift: d.clone().applyMatrix3(inside), tilt: t.clone().applyMatrix3(inside), shiftFrom: new Vector3().applyMatrix4(holder.matrix.clone().invert()) });
      }
    }
  }
}

/** A surface that moves by the sum of some fields. */
class Field {
  /** @param {Block} block @param {FieldSaid} said @param {DrawnBody} body */
  constructor(block, said, body) {
    this.said = said;
    this.samples = block.time.length;
    this.body = body;
    this.amounts = block.float(said.amounts);
    const [{ mesh, lines, material }] = body.parts;
    const own = (/** @type {import("three").BufferGeometry} */ geometry) => geometry.clone(); // others may share the shape
    mesh.geometry = own(mesh.geometry);
    if (lines) lines.geometry = own(lines.geometry);
    this.moving = [{ geometry: mesh.geometry, fields: block.float(said.corners) }, ...(lines ? [{ geometry: lines.geometry, fields: block.float(said.edges) }] : [])]
      .map(({ geometry, fields }) => ({ geometry, fields, rest: Float32Array.from(geometry.attributes.position.array) }));
    for (const { fields, rest } of this.moving) if (fields.length !== said.count * rest.length) throw new Error(`The fields of "${body.name}" do not fit its surface.`);
    mesh.geometry.setAttribute("moved", new BufferAttribute(new Float32Array(this.moving[0].rest.length / 3), 1));
    mesh.frustumCulled = false;
    define(material, "FIELD", "");
  }

  /** @param {number} i @param {number} f @param {number} magnification */
  show(i, f, magnification) {
    const { said, samples: n, amounts } = this, j = Math.min(i + 1, n - 1);
    const a = Array.from({ length: said.count }, (_, r) => amounts[r * n + i] + (amounts[r * n + j] - amounts[r * n + i]) * f);
    const [w, x, y, z] = said.quaternion;
    this.body.group.position.fromArray(said.position);
    this.body.group.quaternion.set(x, y, z, w);
    for (const { geometry, fields, rest } of this.moving) {
      const place = geometry.attributes.position, far = geometry.attributes.moved;
      for (let k = 0; k < rest.length; k += 3) {
        const u = [0, 0, 0];
        for (let r = 0; r < said.count; r++) for (let c = 0; c < 3; c++) u[c] += a[r] * fields[r * rest.length + k + c];
        for (let c = 0; c < 3; c++) place.array[k + c] = rest[k + c] + magnification * u[c];
        if (far) far.array[k / 3] = Math.hypot(u[0], u[1], u[2]);
      }
      place.needsUpdate = true;
      if (far) far.needsUpdate = true;
    }
  }
}

/** A body further by so many times a displacement, and turned by so many times a tilt. @param {DrawnBody} body @param {Vector3} d @param {Vector3} t @param {number} times */
function moved(body, d, t, times) {
  if (!times) return;
  body.group.position.addScaledVector(d, times);
  const angle = t.length() * times;
  if (angle) body.group.quaternion.premultiply(new Quaternion().setFromAxisAngle(t.clone().normalize(), angle));
}

export class Deformed {
  /** @param {Block} block @param {import("./bodies.js").Bodies} bodies */
  constructor(block, bodies) {
    this.block = block;
    const said = block.head.deformed?.structures ?? [];
    this.structures = /** @type {Structure[]} */ (said.map((/** @type {StructureSaid} */ one) => new Structure(block, bodies, one)));
    this.coloured = false;
  }

  /** The largest displacement of all [m]. @param {boolean} axial */
  largest(axial) {
    return Math.max(0, ...this.structures.map((structure) => structure.largest(axial)));
  }

  /** What displacements are counted from. */
  get words() {
    return [...new Set(this.structures.map(({ said }) => said.text))].join("; ");
  }

  /** @param {boolean} on @param {boolean} axial */
  use(on, axial) {
    const largest = this.largest(axial);
    this.coloured = on && largest > 0;
    for (const structure of this.structures) structure.use(this.coloured, largest);
  }

  /** @param {number} t @param {number} magnification @param {boolean} axial */
  show(t, magnification, axial) {
    const { i, f } = find(this.block.time, t);
    for (const structure of this.structures) {
      structure.read(i, f, axial);
      structure.show(i, f, magnification);
      if (this.coloured) structure.colour();
    }
  }
}
