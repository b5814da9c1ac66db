// Bodies in small vibrations about the place where they stand: x = x0 + a Re(X exp(i phase)), rotations as rotation vectors.
// Growing and decaying motions are drawn without growth or decay.
// @ts-check
import { Color, Group, LineBasicMaterial, LineSegments, Quaternion, Vector3 } from "three";

import { BentShaft } from "./bent_shaft.js";
import { SoftSurface } from "./soft_surface.js";

/** @typedef {import("./world.js").World} World */
/** @typedef {import("../linear/findings.js").Finding} Finding */

/** Largest motion that is drawn by itself, in parts of the size of the scene; and the largest rotation [rad]. */
const PART = 0.05, TURN = 0.35;
const MAP = ["#3b4cc0", "#7396f5", "#b0cbfc", "#dcdddd", "#f6bfa5", "#ea7b60", "#b40426"].map((c) => new Color(c));

export class Vibration {
  /** @param {Finding} finding @param {World} world */
  constructor(finding, world) {
    this.finding = finding;
    this.world = world;
    const { bodies, size } = world.loaded;
    this.size = size;
    this.drawn = finding.bodies.map((name, k) => {
      const body = bodies.byName.get(name);
      const x = new Vector3().fromArray(finding.places, 3 * k), [w, a, b, c] = finding.turns.subarray(4 * k, 4 * k + 4);
      const q = new Quaternion(a, b, c, w);
      const arms = (body?.support ?? []).map((p) => p.clone().applyQuaternion(q)); // from the origin to where it may move most
      return { body, x, q, arms: arms.length ? arms : [new Vector3()] };
    });
    const shafts = this.shafts();
    this.stiff = [...this.structures(), ...this.carried()];
    this.ghost = ghost([...this.surfaces().map(({ body }) => body), ...this.drawn.flatMap(({ body }) => (body ? [body] : [])), ...shafts.map(({ shaft }) => shaft), ...this.stiff.map(({ body }) => body)]);
    this.soft = this.surfaces().map(({ said, body }) => new SoftSurface(finding.block, said, body));
    this.bent = shafts.map(({ shaft, stations }) => new BentShaft(shaft, stations));
    this.ghost.visible = false;
    bodies.root.add(this.ghost);
    /** Colours as they were, of parts that are painted. @type {Map<import("./bodies.js").DrawnPart, Color>} */
    this.unpainted = new Map();
  }

  /** Structures of a group that are drawn as one body, with their stations. @param {(group: string) => boolean} wanted */
  withStations(wanted) {
    const { bodies } = this.world.loaded;
    return bodies.all.filter(({ name, said }) => wanted(said.group) && !said.structure && !this.finding.bodies.includes(name)).flatMap((shaft) => {
      const stations = this.drawn.flatMap(({ body, x }, number) => (body?.said.structure === shaft.name ? [{ x, number }] : []));
      return stations.length ? [{ shaft, stations }] : [];
    });
  }

  /** Shafts, which bend. */
  shafts() {
    return this.withStations((group) => group === "Shafts").filter(({ stations }) => stations.length > 1);
  }

  /** Flexible bodies whose surface is known. @returns {{said: import("./soft_surface.js").SurfaceSaid, body: import("./bodies.js").DrawnBody}[]} */
  surfaces() {
    const { bodies } = this.world.loaded;
    return (this.finding.said.surfaces ?? []).flatMap((/** @type {import("./soft_surface.js").SurfaceSaid} */ said) => {
      const body = bodies.byName.get(said.name);
      return body?.parts.length ? [{ said, body }] : [];
    });
  }

  /** Other structures, which are drawn rigid: with the mean motion of their stations, about the middle of these. */
  structures() {
    const soft = new Set(this.surfaces().map(({ body }) => body));
    return this.withStations((group) => group !== "Shafts" && group !== "Bodies").filter(({ shaft }) => !soft.has(shaft)).map(({ shaft: body, stations }) => {
      const middle = stations.reduce((sum, { x }) => sum.add(x), new Vector3()).divideScalar(stations.length);
      return { body, by: stations.map(({ number }) => ({ number, arm: new Vector3() })), parts: stations.length, middle, x: body.group.position.clone(), q: body.group.quaternion.clone() };
    });
  }

  /** Rolling elements, which move with the mean of both rings; the ground does not move. @returns {ReturnType<Vibration["structures"]>} */
  carried() {
    const { bodies } = this.world.loaded;
    return (this.finding.said.carried ?? []).flatMap((/** @type {{body: string, by: string[]}} */ said) => {
      const body = bodies.byName.get(said.body);
      if (!body) return [];
      const x = body.group.position.clone();
      const by = said.by.map((name) => this.finding.bodies.indexOf(name)).filter((number) => number >= 0).map((number) => ({ number, arm: x.clone().sub(this.drawn[number].x) }));
      return [{ body, by, parts: said.by.length, middle: x.clone(), x, q: body.group.quaternion.clone() }];
    });
  }

  /** Size of the motion of every body where it moves most [m], and the largest rotation [rad], of a shape as it is. @param {number} row @param {number} column */
  sizes(row, column) {
    const { shapes, columns } = this.finding, n = this.drawn.length;
    let turn = 0;
    const moved = this.drawn.map(({ arms: points }, k) => {
      const X = shapes.subarray(12 * ((row * columns + column) * n + k));
      turn = Math.max(turn, Math.hypot(X[6], X[7], X[8], X[9], X[10], X[11]));
      let most = 0;
      for (const r of points) most = Math.max(most, Math.hypot(...along(X, 0, r), ...along(X, 1, r)));
      return most;
    });
    const most = Math.max(...moved, ...this.soft.map((surface) => surface.largest(column)), 0);
    return { moved, most, turn };
  }

  /** Factor by which a shape is drawn before the user changes it; 0 where nothing moves. @param {number} row @param {number} column */
  factor(row, column) {
    const { most, turn } = this.sizes(row, column);
    const factor = Math.min((PART * this.size) / most, TURN / turn);
    return Number.isFinite(factor) ? factor : 0;
  }

  /** Move all bodies. @param {number} row @param {number} column @param {number} phase part of a period @param {number} factor times the shape; 0: at rest */
  show(row, column, phase, factor) {
    const { shapes, columns } = this.finding, n = this.drawn.length;
    const part = phase - Math.floor(phase); // a whole period is none, to the last bit
    const c = factor * Math.cos(2 * Math.PI * part), s = factor * Math.sin(2 * Math.PI * part);
    const p = new Vector3(), axis = new Vector3(), q = new Quaternion();
    const first = 12 * (row * columns + column) * n;
    const at = (/** @type {number} */ k, /** @type {number} */ i) => (factor ? c * shapes[first + 12 * k + 2 * i] - s * shapes[first + 12 * k + 2 * i + 1] : 0);
    this.drawn.forEach(({ body, x, q: rest }, k) => {
      if (!body) return;
      p.set(x.x + at(k, 0), x.y + at(k, 1), x.z + at(k, 2));
      axis.set(at(k, 3), at(k, 4), at(k, 5));
      const angle = axis.length();
      if (angle) q.setFromAxisAngle(axis.divideScalar(angle), angle).multiply(rest);
      else q.copy(rest);
      stand(body, p, q);
    });
    const turn = new Vector3(), shift = new Vector3();
    for (const { body, by, parts, middle, x, q: rest } of this.stiff) {
      axis.set(0, 0, 0);
      shift.set(0, 0, 0);
      for (const { number: k, arm } of by) {
        axis.add(turn.set(at(k, 3), at(k, 4), at(k, 5)));
        shift.add(turn.cross(arm)).add(turn.set(at(k, 0), at(k, 1), at(k, 2)));
      }
      axis.divideScalar(parts);
      shift.divideScalar(parts);
      const angle = axis.length();
      q.identity();
      if (angle) q.setFromAxisAngle(axis.divideScalar(angle), angle);
      stand(body, p.copy(x).sub(middle).applyQuaternion(q).add(middle).add(shift), q.multiply(rest));
    }
    for (const surface of this.soft) surface.show(column, c, s);
    for (const shaft of this.bent) shaft.bend(at);
    this.world.show(); // with all that hangs on the bodies
  }

  /** Colour every body by its amplitude, or give it its own colour again. @param {number} row @param {number} column @param {boolean} on */
  paint(row, column, on) {
    for (const [part, colour] of this.unpainted) {
      part.material.color.copy(colour);
      corners(part.material, false);
    }
    this.unpainted.clear();
    if (!on) return;
    const { moved, most } = this.sizes(row, column);
    const shade = (/** @type {number} */ size) => heat(most ? size / most : 0);
    const paint = (/** @type {import("./bodies.js").DrawnBody | undefined} */ body, /** @type {number} */ size) => {
      for (const part of body?.parts ?? []) {
        if (!this.unpainted.has(part)) this.unpainted.set(part, part.material.color.clone());
        part.material.color.copy(shade(size));
      }
    };
    for (const body of this.world.loaded.bodies.all) if (!this.finding.bodies.includes(body.name)) paint(body, 0);
    this.drawn.forEach(({ body }, k) => paint(body, moved[k]));
    for (const { body, by, parts } of this.stiff) paint(body, by.reduce((sum, { number }) => sum + moved[number], 0) / parts);
    for (const part of [...this.soft.flatMap((surface) => surface.paint(column, shade)), ...this.bent.flatMap((shaft) => shaft.paint(moved, shade))]) {
      if (!this.unpainted.has(part)) this.unpainted.set(part, part.material.color.clone());
      part.material.color.set("#ffffff"); // the colours of the corners alone
      corners(part.material, true);
    }
  }

  /** Everything as it was. */
  end() {
    this.paint(0, 0, false);
    this.show(0, 0, 0, 0);
    this.ghost.removeFromParent();
    for (const one of [...this.bent, ...this.soft]) one.dispose();
  }
}

/** Whether a material takes the colours of corners. @param {import("./surface.js").Surface} material @param {boolean} on */
function corners(material, on) {
  if (material.vertexColors === on) return;
  material.vertexColors = on;
  material.needsUpdate = true;
}

/** Where a body is drawn from now on. @param {import("./bodies.js").DrawnBody} body @param {Vector3} p @param {Quaternion} q */
function stand({ place, turn }, p, q) {
  place?.set([p.x, p.y, p.z]);
  turn?.set([q.w, q.x, q.y, q.z]);
}

/** Real or imaginary part of u + theta x r. @param {Float32Array} X @param {0 | 1} i @param {Vector3} r @returns {[number, number, number]} */
function along(X, i, r) {
  const a = X[6 + i], b = X[8 + i], c = X[10 + i];
  return [X[i] + b * r.z - c * r.y, X[2 + i] + c * r.x - a * r.z, X[4 + i] + a * r.y - b * r.x];
}

/** Outlines of bodies where they stand. @param {import("./bodies.js").DrawnBody[]} bodies */
function ghost(bodies) {
  const lines = new LineBasicMaterial({ color: "#7f8894", transparent: true, opacity: 0.5, depthWrite: false });
  const all = new Group();
  for (const { group, parts } of bodies) {
    const copy = new Group();
    copy.position.copy(group.position);
    copy.quaternion.copy(group.quaternion);
    for (const { holder, shape } of parts) {
      if (!shape.lines) continue;
      const outline = new LineSegments(shape.lines, lines);
      outline.matrixAutoUpdate = false;
      outline.matrix.copy(holder.matrix);
      copy.add(outline);
    }
    all.add(copy);
  }
  return all;
}

/** From blue over grey to red. @param {number} part 0 to 1 */
function heat(part) {
  const at = Math.min(Math.max(part, 0), 1) * (MAP.length - 1), k = Math.min(Math.floor(at), MAP.length - 2);
  return MAP[k].clone().lerp(MAP[k + 1], at - k);
}
