// Where teeth touch, and how hard: patches on the flanks of the first gear of a pair, coloured. Pressures come from an analysis of
// the contact, over the phase of the mesh and the load; without one, lines of contact of ideal flanks are drawn with the mean load
// on them. Flanks in contact coincide, so that a patch lies on both.
// @ts-check
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Matrix4, Mesh, MeshBasicMaterial, Vector3 } from "three";
import { find } from "../data.js";
import { bearingForce, largestForce } from "./bearing_force.js";
import { lightOf } from "./colours.js";
import { alongProfile, flankPoint } from "./flank_points.js";
import { idealLines, standing } from "./ideal_lines.js";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {import("./ideal_lines.js").LinesSaid} LinesSaid */
/** @typedef {import("./flank_points.js").Flank} Flank */
/** @typedef {(body: string) => Matrix4 | null} PoseOf */
/**
 * Pressures (src/pitchline/parts/contact/scene.py): patches of each load and position, on a grid of rows along the face
 * and columns along the profile.
 * @typedef {{pair: string, side: number, base_radius: number, base_angle: number, twist: number, rows: number, columns: number,
 *   loads: number[], labels: string[], angles: string, first: string, tooth: string, zeta: string, low: string, high: string, pressure: string, largest: number, cut: boolean, text: string}} TableSaid
 */

const ALONG = 24, WIDE = 0.1; // corners along a line; half its width in modules
const LINES = 24; // at most, of a pair at a time

export class Contact {
  /** @param {Block} block */
  constructor(block) {
    this.block = block;
    const said = block.head.contact ?? {};
    /** @type {LinesSaid[]} */
    this.lines = said.lines ?? [];
    /** @type {TableSaid[]} */
    this.tables = said.tables ?? [];
    this.root = new Group();
    this.root.visible = false;
    this.drawn = this.lines.map((lines) => new PairContact(block, lines, this.tables.filter(({ pair }) => pair === lines.pair)));
    for (const { root } of this.drawn) this.root.add(root);
    const tabled = new Set(this.tables.map(({ pair }) => pair));
    /** Largest pressure [Pa], and largest mean line load [N/m] of pairs without pressures. */
    this.largest = { pressure: Math.max(0, ...this.tables.map(({ largest }) => largest)), line: 0 };
    for (const pair of this.drawn) if (!tabled.has(pair.said.pair)) this.largest.line = Math.max(this.largest.line, pair.largestLineLoad());
  }

  get cut() {
    return this.tables.some(({ cut }) => cut);
  }

  /** Loads among which one is to be chosen: where no result says how large it is. */
  get loads() {
    const [first] = this.tables;
    return first && !this.drawn.some(({ force }) => force) ? first.labels : [];
  }

  /** @param {number} t @param {PoseOf} poseOf @param {number | null} load */
  place(t, poseOf, load) {
    const { i, f } = find(this.block.time, t);
    for (const pair of this.drawn) pair.place(i, f, poseOf, this.largest, load);
  }
}

class PairContact {
  /** @param {Block} block @param {LinesSaid} said @param {TableSaid[]} tables */
  constructor(block, said, tables) {
    this.block = block;
    this.said = said;
    this.tables = tables;
    this.samples = block.time.length;
    const column = (/** @type {string | undefined} */ name) => (name ? block.columns(name) : null);
    this.side = column(said.contact);
    this.force = column(said.normal_force);
    this.pairForces = column(said.pair_forces);
    const cycles = block.head.pairs.find(({ name }) => name === said.pair)?.cycles;
    this.cycles = cycles ? /** @type {Float64Array} */ (block.array(cycles)) : null;
    const geometry = new BufferGeometry();
    this.room = Math.max(3 * ALONG * LINES, ...tables.map((table) => mostCorners(block, table)));
    this.position = new BufferAttribute(new Float32Array(3 * this.room), 3).setUsage(DynamicDrawUsage);
    this.colour = new BufferAttribute(new Float32Array(4 * this.room), 4).setUsage(DynamicDrawUsage);
    this.index = new BufferAttribute(new Uint32Array(6 * this.room), 1).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("color", this.colour);
    geometry.setIndex(this.index);
    this.geometry = geometry;
    const look = { vertexColors: true, side: DoubleSide, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 };
    const full = new Mesh(geometry, new MeshBasicMaterial(look));
    const faint = new Mesh(geometry, new MeshBasicMaterial({ ...look, depthTest: false, opacity: 0.55 }));
    this.root = new Group();
    this.root.matrixAutoUpdate = false;
    for (const [mesh, order] of /** @type {const} */ ([[faint, 3], [full, 4]])) {
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      mesh.raycast = () => {};
      this.root.add(mesh);
    }
    this.local = new Matrix4();
    this.corners = this.faces = this.patches = 0;
  }

  /** The frame of gear A as its teeth are drawn, on its body. */
  frame() {
    const body = this.block.head.bodies.find(({ name }) => name === this.said.body);
    const part = body?.parts.find(({ name, kind }) => name === this.said.wheel && kind === "gear") ?? this.said;
    const r = part.rotation, p = part.position;
    return this.local.set(r[0][0], r[0][1], r[0][2], p[0], r[1][0], r[1][1], r[1][2], p[1], r[2][0], r[2][1], r[2][2], p[2], 0, 0, 0, 1);
  }

  /** @param {number} i @param {number} f @param {PoseOf} poseOf @param {{pressure: number, line: number}} largest @param {number | null} load */
  place(i, f, poseOf, largest, load) {
    const a = poseOf(this.said.body), b = poseOf(this.said.other);
    this.root.visible = a !== null && b !== null;
    if (!a || !b) return;
    this.root.matrix.multiplyMatrices(a, this.frame());
    const stands = standing(this.said, this.root.matrix.clone().invert(), new Vector3().fromArray(this.said.centre).applyMatrix4(b));
    const pressed = this.at(this.force, i, f), side = this.side ? Math.sign(this.side[i]) : (this.tables[0]?.side ?? 1);
    const force = pressed === null ? null : bearingForce(pressed, side);
    this.corners = this.faces = this.patches = 0;
    if (side !== 0 && !(force !== null && force <= 0)) {
      const table = this.tables.find((one) => one.side === side);
      if (table) this.pressures(table, stands.angle, force, largest.pressure, load);
      else if (this.said.ideal) this.idealLines(this.said.ideal, stands, side, force, i, largest.line);
    }
    this.geometry.setDrawRange(0, this.faces);
    this.position.needsUpdate = this.colour.needsUpdate = this.index.needsUpdate = true;
  }

  /** @param {Float32Array | null} values @param {number} i @param {number} f */
  at(values, i, f) {
    if (!values) return null;
    const j = Math.min(i + 1, this.samples - 1);
    const value = values[i] + (values[j] - values[i]) * f;
    return Number.isFinite(value) ? value : 0;
  }

  /** A grid of corners on a tooth: rows along the face; `corner` gives L, ζ and the colour. */
  /** @param {Flank} flank @param {number} turn @param {number} rows @param {number} columns @param {(r: number, c: number, out: number[]) => [number, number]} corner */
  grid(flank, turn, rows, columns, corner) {
    const first = this.corners;
    if (first + rows * columns > this.room) return;
    const P = /** @type {Float32Array} */ (this.position.array), C = /** @type {Float32Array} */ (this.colour.array), I = /** @type {Uint32Array} */ (this.index.array);
    const colour = [0, 0, 0, 1];
    let k = first, face = this.faces;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++, k++) {
        const [L, zeta] = corner(r, c, colour);
        flankPoint(flank, turn, L, zeta, P, 3 * k);
        C.set(colour, 4 * k);
        if (r + 1 < rows && c + 1 < columns) {
          I.set([k, k + 1, k + columns + 1, k, k + columns + 1, k + columns], face);
          face += 6;
        }
      }
    }
    this.corners = k;
    this.faces = face;
    this.patches += 1;
  }

  /** @param {import("./ideal_lines.js").Ideal} ideal @param {ReturnType<typeof standing>} stands @param {number} side @param {number | null} force @param {number} i @param {number} largest */
  idealLines(ideal, stands, side, force, i, largest) {
    const flank = { radius: ideal.base_radii[0], angle: ideal.base_angle, twist: ideal.twist, curl: side };
    const lines = idealLines(ideal, this.said.internal, stands, side, this.said.teeth), turn = (2 * Math.PI) / this.said.teeth;
    const loads = this.lineLoads(lines, stands.angle, force, i);
    lines.forEach(({ tooth, from, to, L0, slope }, n) => {
      const colour = [0.5, 0, 0];
      if (loads && largest > 0) lightOf("heat", loads[n] / largest, colour);
      if (loads && !(loads[n] > 0)) return;
      this.grid(flank, turn * tooth, ALONG, 3, (r, c, out) => {
        const zeta = from + ((to - from) * r) / (ALONG - 1);
        [out[0], out[1], out[2], out[3]] = [colour[0], colour[1], colour[2], 1];
        return [alongProfile(flank, L0 + slope * zeta, (c - 1) * WIDE * ideal.module), zeta];
      });
    });
  }

  /** Mean load of each line [N/m]: of its own pair of teeth where the result knows it, else the same on all; null without forces. */
  /** @param {import("./ideal_lines.js").Line[]} lines @param {number} angle @param {number | null} force @param {number} i @returns {number[] | null} */
  lineLoads(lines, angle, force, i) {
    const { pairForces, cycles, samples, said } = this;
    if (pairForces && cycles) {
      const slots = pairForces.length / samples;
      // teeth as the model counts them: on and on, from the phase that counts turns
      const passed = Math.round(cycles[i] - (angle * said.teeth) / (2 * Math.PI));
      return lines.map(({ tooth, length }) => {
        const k = ((tooth - passed) % slots + slots) % slots;
        return Math.abs(pairForces[k * samples + i]) / length;
      });
    }
    if (force === null) return null;
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    return lines.map(() => force / length);
  }

  /** Over the run, lines being as long as they are at the shortest. */
  largestLineLoad() {
    const { ideal, internal } = this.said;
    if (!this.force || !ideal) return 0;
    let largest = 0;
    for (let n = 0; n < 32; n++) {
      const stands = { distance: ideal.distance, angle: (2 * Math.PI * n) / 32 / this.said.teeth, offset: ideal.offset };
      const lines = idealLines(ideal, internal, stands, 1, this.said.teeth), length = lines.reduce((sum, line) => sum + line.length, 0);
      if (length > 0) largest = Math.max(largest, 1 / length);
    }
    return largest * largestForce(this.force, this.side);
  }

  /** Patches of the position and load nearest to those of now, moved along the flanks to where they are now. */
  /** @param {TableSaid} table @param {number} angle @param {number | null} force @param {number} largest @param {number | null} chosen */
  pressures(table, angle, force, largest, chosen) {
    const { block } = this;
    const angles = block.float(table.angles), pitch = (2 * Math.PI) / this.said.teeth;
    const load = force === null ? Math.min(chosen ?? Infinity, table.loads.length - 1) : nearest(table.loads, force);
    // Hertz: pressures of a line grow as the root of the force
    const factor = force === null ? 1 : Math.sqrt(force / table.loads[load]);
    let best = 0, passed = 0, least = Infinity;
    for (let n = 0; n < angles.length; n++) {
      const whole = Math.round((angle - angles[n]) / pitch), apart = Math.abs(angle - angles[n] - whole * pitch);
      if (apart < least - 1e-9) [best, passed, least] = [n, whole, apart];
    }
    const shift = angle - angles[best] - passed * pitch;
    const flank = { radius: table.base_radius, angle: table.base_angle, twist: table.twist, curl: table.side };
    const first = block.array(table.first), state = load * angles.length + best;
    const tooth = block.array(table.tooth), zeta = block.float(table.zeta), low = block.float(table.low), high = block.float(table.high), p = block.float(table.pressure);
    const { rows, columns } = table, moved = flank.curl * flank.radius * shift;
    for (let n = first[state]; n < first[state + 1]; n++) {
      this.grid(flank, pitch * (tooth[n] - passed), rows, columns, (r, c, out) => {
        const at = n * rows + r, value = p[at * columns + c] * factor;
        const a = Math.max(low[at] + moved, 0), b = Math.max(high[at] + moved, 0), s = c / (columns - 1);
        lightOf("heat", value / largest, out);
        out[3] = value > 0 ? 1 : 0;
        return [Math.sqrt(a * a + s * (b * b - a * a)), zeta[at]];
      });
    }
  }
}

/** Of all patches of one load and position. @param {Block} block @param {TableSaid} table */
function mostCorners(block, table) {
  const first = block.array(table.first);
  let most = 0;
  for (let n = 1; n < first.length; n++) most = Math.max(most, first[n] - first[n - 1]);
  return Math.min(most * table.rows * table.columns, block.float(table.pressure).length);
}

/** @param {number[]} values @param {number} x */
function nearest(values, x) {
  let best = 0;
  for (let n = 1; n < values.length; n++) if (Math.abs(values[n] - x) < Math.abs(values[best] - x)) best = n;
  return best;
}
