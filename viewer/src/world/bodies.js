// Bodies with their parts, and where they stand at a time.
// @ts-check
import { Group, InstancedMesh, LineBasicMaterial, LineSegments, MeshStandardMaterial, Quaternion } from "three";
import { find } from "../data.js";
import { made } from "./shapes.js";

/** @typedef {import("../data.js").Block} Block */

export const COLOURS = ["#5f9fcb", "#e9c26a", "#6bbfa3", "#d79dbd", "#93cdec", "#de9a6a", "#9a9a9a"];

/** @typedef {{name: string, group: Group, colour: string, materials: MeshStandardMaterial[], place?: Float32Array, turn?: Float32Array}} DrawnBody */

export class Bodies {
  /** @param {Block} block */
  constructor(block) {
    this.block = block;
    this.root = new Group();
    this.edges = new LineBasicMaterial({ color: "#30363d", transparent: true, opacity: 0.55 });
    /** @type {Map<string, import("./shapes.js").Made>} */
    const shapes = new Map();
    /** @type {DrawnBody[]} */
    this.all = block.head.bodies.map((said, number) => {
      const group = new Group();
      const colour = said.colour ?? COLOURS[number % COLOURS.length];
      /** @type {MeshStandardMaterial[]} */
      const materials = [];
      for (const part of said.parts) {
        const shape = shapes.get(part.shape) ?? made(block, block.head.shapes[part.shape]);
        shapes.set(part.shape, shape);
        const opacity = part.opacity ?? (part.kind === "stand-in" ? 0.45 : 1);
        const material = new MeshStandardMaterial({
          color: part.colour ?? colour, roughness: 0.55, metalness: 0.15, transparent: opacity < 1, opacity, depthWrite: opacity === 1,
          polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
        });
        materials.push(material);
        const holder = new Group();
        const r = part.rotation, p = part.position;
        holder.matrixAutoUpdate = false;
        holder.matrix.set(r[0][0], r[0][1], r[0][2], p[0], r[1][0], r[1][1], r[1][2], p[1], r[2][0], r[2][1], r[2][2], p[2], 0, 0, 0, 1);
        const mesh = new InstancedMesh(shape.geometry, material, shape.matrices.length);
        shape.matrices.forEach((m, i) => mesh.setMatrixAt(i, m));
        mesh.frustumCulled = false; // its sphere knows one pitch alone
        holder.add(mesh);
        if (shape.lines) holder.add(new LineSegments(shape.lines, this.edges));
        group.add(holder);
      }
      group.visible = !said.hidden;
      this.root.add(group);
      return { name: said.name, group, colour, materials, place: said.place ? block.float(said.place) : undefined, turn: said.turn ? block.float(said.turn) : undefined };
    });
    this.byName = new Map(this.all.map((body) => [body.name, body]));
  }

  /** All bodies as they stand at a time [s]; between samples along the shorter turn. @param {number} t */
  show(t) {
    const { i, f } = find(this.block.time, t);
    const last = this.block.time.length - 1;
    const q = new Quaternion(), r = new Quaternion();
    for (const { group, place, turn } of this.all) {
      if (!place || !turn) continue;
      const still = place.length === 3;
      const a = still ? 0 : i, b = still ? 0 : Math.min(i + 1, last);
      group.position.set(
        place[3 * a] + (place[3 * b] - place[3 * a]) * f,
        place[3 * a + 1] + (place[3 * b + 1] - place[3 * a + 1]) * f,
        place[3 * a + 2] + (place[3 * b + 2] - place[3 * a + 2]) * f,
      );
      q.set(turn[4 * a + 1], turn[4 * a + 2], turn[4 * a + 3], turn[4 * a]);
      r.set(turn[4 * b + 1], turn[4 * b + 2], turn[4 * b + 3], turn[4 * b]);
      group.quaternion.slerpQuaternions(q, r, f);
    }
  }
}
