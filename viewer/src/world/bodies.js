// Bodies with their parts, and where they stand at a time.
// @ts-check
import { Color, Group, InstancedMesh, LineSegments, Matrix4, Mesh, Quaternion, Vector3 } from "three";
import { find } from "../data.js";
import { Extremes, outermost } from "./extremes.js";
import { made } from "./shapes.js";
import { Edges, Surface } from "./surface.js";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {import("./shapes.js").Made} Made */

export const COLOURS = ["#5f9fcb", "#e9c26a", "#6bbfa3", "#d79dbd", "#93cdec", "#de9a6a", "#9a9a9a"];

/** The colour of a body. @param {Block} block @param {number} number */
export function colourOf(block, number) {
  const said = block.head.bodies[number].colour;
  return said && CSS.supports("color", said) ? said : COLOURS[number % COLOURS.length];
}

/** @typedef {import("../data.js").BodySaid} BodySaid */
/** @typedef {{name: string, body: DrawnBody, said: import("../data.js").Part, holder: Group, mesh: Mesh, lines: LineSegments | null, material: Surface, edges: Edges, shape: Made, opacity: number, section?: Mesh<import("three").BufferGeometry, import("./surface.js").Section>}} DrawnPart */
/** @typedef {{name: string, group: Group, colour: string, said: BodySaid, parts: DrawnPart[], support: Vector3[], place?: Float32Array, turn?: Float32Array, spin?: Float32Array}} DrawnBody */

const ACCENT = new Color("#1f6feb");
const IDENTITY = new Matrix4();
const SEEN_THROUGH = 0.22;
const MANY_POINTS = 2000; // of a body, above which only its outermost ones in some directions are kept

export class Bodies {
  /** @param {Block} block @param {import("./surface.js").Cut} cut */
  constructor(block, cut) {
    this.block = block;
    this.root = new Group();
    /** @type {Map<string, Made>} */
    this.shapes = new Map();
    /** @type {DrawnBody[]} */
    this.all = block.head.bodies.map((said, number) => this.body(said, colourOf(block, number), cut));
    /** @type {DrawnPart[]} */
    this.parts = this.all.flatMap((body) => body.parts);
    this.byName = new Map(this.all.map((body) => [body.name, body]));
  }

  /** @param {BodySaid} said @param {string} colour @param {import("./surface.js").Cut} cut @returns {DrawnBody} */
  body(said, colour, cut) {
    const { block } = this, group = new Group();
    /** @type {DrawnBody} */
    const body = { name: said.name, group, colour, said, parts: [], support: [] };
    if (said.place && said.turn) Object.assign(body, { place: block.float(said.place), turn: block.float(said.turn) });
    if (said.spin) body.spin = block.float(said.spin);
    for (const part of said.parts) {
      const drawn = this.part(body, part, cut);
      body.parts.push(drawn);
      body.support.push(...drawn.shape.support.map((p) => p.clone().applyMatrix4(drawn.holder.matrix)));
      group.add(drawn.holder);
    }
    if (body.support.length > MANY_POINTS) body.support = outermost(body.support.flatMap((p) => p.toArray()));
    this.root.add(group);
    return body;
  }

  /** @param {DrawnBody} body @param {import("../data.js").Part} said @param {import("./surface.js").Cut} cut @returns {DrawnPart} */
  part(body, said, cut) {
    const shape = this.shapes.get(said.shape) ?? made(this.block, said.shape, this.block.head.shapes[said.shape]);
    this.shapes.set(said.shape, shape);
    const opacity = said.opacity ?? (said.kind === "stand-in" ? 0.45 : 1);
    const material = new Surface(cut, { color: said.colour && CSS.supports("color", said.colour) ? said.colour : body.colour, opacity });
    const edges = new Edges(cut);
    const holder = new Group(), r = said.rotation, p = said.position;
    holder.matrixAutoUpdate = false;
    holder.matrix.set(r[0][0], r[0][1], r[0][2], p[0], r[1][0], r[1][1], r[1][2], p[1], r[2][0], r[2][1], r[2][2], p[2], 0, 0, 0, 1);
    const mesh = shape.matrices.length > 1 ? new InstancedMesh(shape.geometry, material, shape.matrices.length) : new Mesh(shape.geometry, material);
    if (mesh instanceof InstancedMesh) shape.matrices.forEach((m, i) => mesh.setMatrixAt(i, m));
    const lines = shape.lines ? new LineSegments(shape.lines, edges) : null;
    holder.add(mesh, ...(lines ? [lines] : []));
    const part = { name: said.name ?? body.name, body, said, holder, mesh, lines, material, edges, shape, opacity };
    mesh.userData.part = part;
    return part;
  }

  /** All bodies as they stand at a time [s]. @param {number} t */
  show(t) {
    const { i, f } = find(this.block.time, t);
    for (const body of this.all) stand(body, i, f, body.group);
    this.root.updateMatrixWorld(true);
  }

  /** The pose of a body at a time [s] in the model, whatever is shown. @param {DrawnBody} body @param {number} t */
  pose(body, t) {
    const { i, f } = find(this.block.time, t), at = { position: new Vector3(), quaternion: new Quaternion() };
    stand(body, i, f, at);
    return new Matrix4().compose(at.position, at.quaternion, new Vector3(1, 1, 1));
  }

  /** Outermost points of what bodies and springs between them ever reach; of those bodies alone that pass the test. @param {(body: DrawnBody) => boolean} [test] */
  reached(test = () => true) {
    const { time, head } = this.block, found = new Extremes(), p = new Vector3();
    const moving = this.all.filter(test), times = Math.min(Math.max(time.length, 1), moving.length > 200 ? 9 : 41);
    const ends = head.springs.flatMap(({ a, b }) => [a, b]).map(({ body, position }) => ({ body: this.byName.get(body), position }));
    for (let k = 0; k < times; k++) {
      const i = times > 1 ? Math.round((k / (times - 1)) * (time.length - 1)) : 0;
      for (const body of moving) {
        if (k && (!body.place || body.place.length === 3)) continue;
        const at = { position: new Vector3(), quaternion: new Quaternion() };
        stand(body, i, 0, at);
        for (const s of body.support) found.add(p.copy(s).applyQuaternion(at.quaternion).add(at.position));
      }
      for (const { body, position } of ends) {
        if (body ? test(body) : k === 0) found.add(p.fromArray(position).applyMatrix4(body ? this.pose(body, time[i]) : IDENTITY));
      }
    }
    return found.all();
  }

  /** What is hidden, seen through, selected, pointed at; by names of bodies or parts. @param {{hidden: ReadonlySet<string>, clear: ReadonlySet<string>, selected: string, over: DrawnPart | null}} state */
  mark({ hidden, clear, selected, over }) {
    for (const body of this.all) {
      body.group.visible = !hidden.has(body.name);
      for (const part of body.parts) {
        const name = part.name;
        part.holder.visible = !hidden.has(name);
        part.material.fade(clear.has(body.name) || clear.has(name) ? Math.min(SEEN_THROUGH, part.opacity) : part.opacity);
        const chosen = selected !== "" && (selected === body.name || selected === name);
        part.material.emissive.copy(ACCENT).multiplyScalar(chosen ? 0.3 : over === part ? 0.14 : 0);
        part.edges.color.set(chosen ? "#0b3d91" : "#1d2329");
      }
    }
  }

  /** Edges fade where they would be a grey mass. @param {import("./eye.js").Eye} eye @param {number} height of the picture [pixels] @param {boolean} wanted */
  fadeEdges(eye, height, wanted) {
    const p = new Vector3(), back = eye.back(), slope = Math.tan((eye.fov * Math.PI) / 360);
    for (const { holder, lines, edges, shape, material } of this.parts) {
      if (!lines) continue;
      const away = eye.parallel ? eye.distance : Math.max(p.setFromMatrixPosition(holder.matrixWorld).sub(eye.position).dot(back) * -1, 0.2 * eye.distance);
      const pixels = (shape.detail * height) / (2 * slope * away);
      const strength = wanted ? Math.min(Math.max((pixels - 5) / 14, 0), 1) : 0;
      edges.uniforms.opacity.value = 0.55 * strength * (material.opacity < 0.5 ? 0.6 : 1);
      lines.visible = strength > 0.02;
    }
  }
}

const q = new Quaternion(), r = new Quaternion(), turned = new Vector3();

/**
 * Between samples a body turns along the shorter way, or, where it turns further than half a turn, by the turns that are said.
 * @param {DrawnBody} body @param {number} i @param {number} f @param {{position: Vector3, quaternion: Quaternion}} at
 */
function stand({ place, turn, spin }, i, f, at) {
  if (!place || !turn) return;
  const last = place.length / 3 - 1, a = Math.min(i, last), b = Math.min(i + 1, last);
  at.position.set(
    place[3 * a] + (place[3 * b] - place[3 * a]) * f,
    place[3 * a + 1] + (place[3 * b + 1] - place[3 * a + 1]) * f,
    place[3 * a + 2] + (place[3 * b + 2] - place[3 * a + 2]) * f,
  );
  const c = Math.min(i, turn.length / 4 - 1), d = Math.min(i + 1, turn.length / 4 - 1);
  q.set(turn[4 * c + 1], turn[4 * c + 2], turn[4 * c + 3], turn[4 * c]);
  if (spin && c !== d) {
    turned.set(spin[3 * c], spin[3 * c + 1], spin[3 * c + 2]).multiplyScalar(f);
    const angle = turned.length();
    at.quaternion.copy(q);
    if (angle > 0) at.quaternion.multiply(r.setFromAxisAngle(turned.divideScalar(angle), angle));
    return;
  }
  r.set(turn[4 * d + 1], turn[4 * d + 2], turn[4 * d + 3], turn[4 * d]);
  at.quaternion.slerpQuaternions(q, r, f);
}
