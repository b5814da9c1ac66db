// Membranes: thin surfaces whose corners go with bodies (src/pitchline/parts/membranes/scene.py).
// @ts-check
import { BufferAttribute, BufferGeometry, Group, Mesh } from "three";
import { Surface } from "./surface.js";

/** @typedef {{name: string, thickness: number, corners: {body: string, position: number[]}[], triangles: number[][], colour?: string}} SheetSaid */

export class Sheets {
  /** @param {import("../data.js").Block} block @param {import("./items.js").Places} places @param {import("./surface.js").Cut} cut */
  constructor(block, places, cut) {
    this.places = places;
    this.root = new Group();
    /** @type {{said: SheetSaid, mesh: Mesh<BufferGeometry, Surface>}[]} */
    this.all = (block.head.sheets ?? []).map((/** @type {SheetSaid} */ said) => {
      const count = said.corners.length, index = said.triangles.flat();
      if (index.some((k) => !(k >= 0 && k < count))) throw new Error(`The surface of "${said.name}" is damaged. Write the view again.`);
      const geometry = new BufferGeometry().setIndex(index);
      for (const name of ["position", "normal"]) geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * count), 3));
      const mesh = new Mesh(geometry, new Surface(cut, { color: said.colour ?? "#8fa3b5", bothSides: true }));
      mesh.frustumCulled = false; // it leaves its box
      this.root.add(mesh);
      return { said, mesh };
    });
  }

  /** Corners as bodies stand, and normals that are the mean of those of the triangles there. */
  show() {
    if (!this.all.length) return;
    const into = this.places.root.matrixWorld.clone().invert();
    for (const { said, mesh } of this.all) {
      const place = mesh.geometry.attributes.position;
      said.corners.forEach(({ body, position }, k) => this.places.at(body, position).applyMatrix4(into).toArray(place.array, 3 * k));
      place.needsUpdate = true;
      mesh.geometry.computeVertexNormals();
      mesh.geometry.boundingSphere = mesh.geometry.boundingBox = null; // of the rays that pick
    }
  }

  /** @param {{hidden: ReadonlySet<string>, clear: ReadonlySet<string>, selected: string}} state */
  mark({ hidden, clear, selected }) {
    for (const { said, mesh } of this.all) {
      mesh.visible = !hidden.has(said.name) && !said.corners.every(({ body }) => hidden.has(body));
      mesh.material.fade(clear.has(said.name) ? 0.25 : 1);
      mesh.material.emissive.set(selected === said.name ? "#16407f" : "#000000");
    }
  }
}
