// Springs and dampers between bodies as coils that stretch with them.
// @ts-check
import { BufferAttribute, BufferGeometry, Group, Mesh, Quaternion, Vector3 } from "three";
import { Surface } from "./surface.js";

const AROUND = 16, WIRE = 8;

export class Springs {
  /** @param {import("../data.js").Block} block @param {import("./items.js").Places} places @param {import("./surface.js").Cut} cut @param {number} size of the scene [m] */
  constructor(block, places, cut, size) {
    this.places = places;
    this.root = new Group();
    this.all = block.head.springs.map((said) => {
      const length = Math.max(this.ends(said).length, 1e-9), radius = said.radius || Math.min(0.12 * length, 0.03 * size) || 0.01 * size;
      const mesh = new Mesh(coil(length, radius), new Surface(cut, { color: "#7d8791" }));
      mesh.frustumCulled = false;
      this.root.add(mesh);
      return { said, mesh, length };
    });
  }

  /** In the frame of the scene. @param {import("../data.js").SpringSaid} said */
  ends({ a, b }) {
    const into = this.places.root.matrixWorld.clone().invert();
    const from = this.places.at(a.body, a.position).applyMatrix4(into), along = this.places.at(b.body, b.position).applyMatrix4(into).sub(from);
    return { from, along, length: along.length() };
  }

  show() {
    for (const { said, mesh, length } of this.all) {
      const { from, along, length: now } = this.ends(said);
      mesh.position.copy(from);
      mesh.quaternion.copy(now > 0 ? new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), along.divideScalar(now)) : new Quaternion());
      mesh.scale.set(1, 1, Math.max(now / length, 1e-3));
    }
  }

  /** @param {{hidden: ReadonlySet<string>, clear: ReadonlySet<string>, selected: string}} state */
  mark({ hidden, clear, selected }) {
    for (const { said, mesh } of this.all) {
      mesh.visible = !hidden.has(said.name) && !(hidden.has(said.a.body) && hidden.has(said.b.body));
      mesh.material.fade(clear.has(said.name) ? 0.25 : 1);
      mesh.material.emissive.set(selected === said.name ? "#16407f" : "#000000");
    }
  }
}

/** A coil of wire along z with straight ends on its axis. @param {number} length @param {number} radius [m] */
function coil(length, radius) {
  const end = Math.min(0.12, (1.2 * radius) / length); // share of the length that a straight end takes
  const coils = Math.min(Math.max(Math.round(((1 - 2 * end) * length) / (1.2 * radius)), 4), 24);
  const steps = (coils + 2) * AROUND, wire = 0.16 * radius, centre = new Vector3(), along = new Vector3(), out = new Vector3(), up = new Vector3();
  const position = new Float32Array(3 * (steps + 1) * WIRE), normal = new Float32Array(position.length), index = [];
  const line = (/** @type {number} */ x) => {
    const f = Math.min(Math.max((x - end) / (1 - 2 * end), 0), 1), open = Math.min(x / end, (1 - x) / end, 1), angle = 2 * Math.PI * coils * f;
    return new Vector3(open * radius * Math.cos(angle), open * radius * Math.sin(angle), length * x);
  };
  for (let i = 0; i <= steps; i++) {
    const x = i / steps;
    centre.copy(line(x));
    along.copy(line(Math.min(x + 1e-4, 1))).sub(line(Math.max(x - 1e-4, 0))).normalize();
    out.set(centre.x, centre.y, 0);
    if (out.lengthSq() < 1e-12 * radius * radius) out.set(1, 0, 0);
    out.addScaledVector(along, -out.dot(along)).normalize();
    up.crossVectors(along, out);
    for (let k = 0; k < WIRE; k++) {
      const a = (2 * Math.PI * k) / WIRE, n = out.clone().multiplyScalar(Math.cos(a)).addScaledVector(up, Math.sin(a)), at = 3 * (i * WIRE + k);
      n.toArray(normal, at);
      n.multiplyScalar(wire).add(centre).toArray(position, at);
      if (i < steps) {
        const a0 = i * WIRE + k, a1 = i * WIRE + ((k + 1) % WIRE);
        index.push(a0, a1, a1 + WIRE, a0, a1 + WIRE, a0 + WIRE);
      }
    }
  }
  return new BufferGeometry().setAttribute("position", new BufferAttribute(position, 3)).setAttribute("normal", new BufferAttribute(normal, 3)).setIndex(index);
}
