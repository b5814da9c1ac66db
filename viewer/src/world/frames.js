// Coordinate axes of bodies, and a faint floor.
// @ts-check
import { Box3, BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, Matrix4, Vector3 } from "three";
import { square } from "./upright.js";

export const AXES = ["#d62f2f", "#2c8a3d", "#2f6fd6"];

/** Axes of bodies, made when they are first asked for. */
export class Frames {
  /** @param {import("./bodies.js").Bodies} bodies @param {number} size of the scene [m] */
  constructor(bodies, size) {
    this.bodies = bodies;
    this.size = size;
    this.root = new Group();
    this.material = new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
    this.geometry = new BufferGeometry()
      .setAttribute("position", new BufferAttribute(new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]), 3))
      .setAttribute("color", new BufferAttribute(new Float32Array(AXES.flatMap((c) => [...new Color(c).toArray(), ...new Color(c).toArray()])), 3));
    /** @type {Map<string, LineSegments>} */
    this.drawn = new Map();
  }

  /** @param {"none" | "selected" | "all"} which @param {string} selected name of a body @param {ReadonlySet<string>} hidden */
  mark(which, selected, hidden) {
    for (const lines of this.drawn.values()) lines.visible = false;
    if (which === "none") return;
    for (const body of which === "all" ? this.bodies.all : this.bodies.all.filter((b) => b.name === selected)) {
      if (hidden.has(body.name)) continue;
      let lines = this.drawn.get(body.name);
      if (!lines) {
        lines = new LineSegments(this.geometry, this.material);
        lines.renderOrder = 3;
        lines.matrixAutoUpdate = false;
        const far = Math.max(0, ...body.support.map((p) => p.length()));
        lines.userData.length = far ? 1.15 * far : 0.05 * this.size;
        this.drawn.set(body.name, lines);
        this.root.add(lines);
      }
      lines.visible = true;
    }
    this.show();
  }

  show() {
    for (const [name, lines] of this.drawn) {
      const body = this.bodies.byName.get(name);
      if (!lines.visible || !body) continue;
      const { length } = lines.userData;
      body.group.updateMatrix();
      lines.matrix.copy(body.group.matrix).scale(lines.scale.setScalar(length));
      lines.matrixWorldNeedsUpdate = true;
    }
  }
}

/** A grid below everything; squares of 1, 2 or 5 times a power of ten. */
export class Floor {
  /** @param {readonly Vector3[]} reached outermost points of the whole motion @param {Vector3} up */
  constructor(reached, up) {
    const turn = new Matrix4().makeBasis(...square(up), up), back = turn.clone().transpose();
    const box = new Box3().setFromPoints(reached.map((p) => p.clone().applyMatrix4(back)));
    const size = box.isEmpty() ? 1 : Math.max(box.max.x - box.min.x, box.max.y - box.min.y, 1e-6), power = 10 ** Math.floor(Math.log10(size / 8));
    this.square = power * ([1, 2, 5, 10].find((s) => s * power >= size / 8) ?? 10);
    const half = Math.ceil((0.9 * size) / this.square), z = box.isEmpty() ? 0 : box.min.z, points = [];
    const [x, y] = box.isEmpty() ? [0, 0] : [(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2].map((c) => Math.round(c / this.square) * this.square);
    for (let k = -half; k <= half; k++) {
      const s = this.square * k, e = this.square * half;
      points.push(x + s, y - e, z, x + s, y + e, z, x - e, y + s, z, x + e, y + s, z);
    }
    this.root = new LineSegments(
      new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3)),
      new LineBasicMaterial({ color: "#808a94", transparent: true, opacity: 0.28, depthWrite: false }),
    );
    this.root.applyMatrix4(turn);
    this.root.visible = false;
  }
}
