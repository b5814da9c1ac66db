// Springs, dampers, strings and rods between bodies, which stretch with them.
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
      const mesh = new Mesh(between(said.kind, length, radius, said.damped ?? false), new Surface(cut, { color: "#7d8791" }));
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

/** @param {string} kind @param {number} length @param {number} radius [m] @param {boolean} damped a spring with a damper inside its coil */
function between(kind, length, radius, damped) {
  const rod = 0.22 * radius;
  if (kind === "string") return turned([[0.3 * rod, 0], [0.3 * rod, length]]);
  if (kind === "rod") return turned([[0, 0], [radius, 0], [radius, length], [0, length]]);
  if (kind === "damper") return dashpot(length, radius);
  return damped ? together(coil(length, radius), dashpot(length, 0.62 * radius)) : coil(length, radius);
}

/** The symbol of a damper: a cylinder that is open at one end, and a piston on its rod. @param {number} length @param {number} radius [m] */
function dashpot(length, radius) {
  const rod = 0.22 * radius, wall = 0.82 * radius, low = 0.3 * length, floor = 0.33 * length, high = 0.68 * length;
  const cup = turned([[rod, 0], [rod, low], [radius, low], [radius, high], [wall, high], [wall, floor], [0, floor]]);
  const piston = turned([[0, 0.46 * length], [0.7 * radius, 0.46 * length], [0.7 * radius, 0.52 * length], [rod, 0.52 * length], [rod, length]]);
  return together(cup, piston);
}

/** Two geometries as one. @param {BufferGeometry} a @param {BufferGeometry} b */
function together(a, b) {
  const n = a.attributes.position.count, made = new BufferGeometry();
  for (const name of ["position", "normal"]) {
    made.setAttribute(name, new BufferAttribute(Float32Array.from([...a.attributes[name].array, ...b.attributes[name].array]), 3));
  }
  const index = (/** @type {BufferGeometry} */ g) => Array.from(g.index?.array ?? []);
  return made.setIndex([...index(a), ...index(b).map((i) => i + n)]);
}

/** A solid turned about z with sharp rims. @param {number[][]} outline radius and height of its corners, from below */
function turned(outline) {
  const position = /** @type {number[]} */ ([]), normal = /** @type {number[]} */ ([]), index = /** @type {number[]} */ ([]);
  outline.slice(1).forEach(([r1, z1], i) => {
    const [r0, z0] = outline[i], first = position.length / 3, n = Math.hypot(z1 - z0, r1 - r0) || 1;
    for (let k = 0; k <= AROUND; k++) {
      const a = (2 * Math.PI * k) / AROUND, c = Math.cos(a), s = Math.sin(a), out = (z1 - z0) / n, up = (r0 - r1) / n;
      position.push(r0 * c, r0 * s, z0, r1 * c, r1 * s, z1);
      normal.push(out * c, out * s, up, out * c, out * s, up);
      const at = first + 2 * k;
      if (k < AROUND) index.push(at, at + 2, at + 3, at, at + 3, at + 1);
    }
  });
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(position), 3))
    .setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3)).setIndex(index);
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
