// Forces and torques as arrows at the points where they act.
// @ts-check
import { ArrowHelper, Color, Group, Vector3 } from "three";
import { find } from "../data.js";

/** @typedef {import("../data.js").Block} Block */

export class Arrows {
  /** @param {Block} block @param {number} size of the scene [m] */
  constructor(block, size) {
    this.block = block;
    this.size = size;
    this.root = new Group();
    let largest = 0;
    this.all = block.head.arrows.filter((said) => said.kind === "force").map((said) => {
      const point = block.float(said.point), vector = block.float(said.vector);
      for (let k = 0; k < vector.length; k += 3) largest = Math.max(largest, Math.hypot(vector[k], vector[k + 1], vector[k + 2]) || 0);
      const arrow = new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 1, new Color("#c00000"));
      for (const part of [arrow.line, arrow.cone]) {
        /** @type {any} */ (part.material).depthTest = false;
        part.renderOrder = 3;
      }
      this.root.add(arrow);
      return { name: said.name, point, vector, arrow };
    });
    this.scale = largest > 0 ? (0.22 * size) / largest : 0;
  }

  /** @param {number} t */
  show(t) {
    const { i } = find(this.block.time, t);
    const direction = new Vector3();
    for (const { point, vector, arrow } of this.all) {
      const at = point.length === 3 ? 0 : 3 * i, k = vector.length === 3 ? 0 : 3 * i;
      direction.set(vector[k], vector[k + 1], vector[k + 2]);
      const length = direction.length() * this.scale;
      arrow.visible = length > 1e-4 * this.size;
      if (!arrow.visible) continue;
      arrow.setDirection(direction.normalize());
      arrow.setLength(length, Math.min(0.3 * length, 0.03 * this.size), Math.min(0.2 * length, 0.018 * this.size));
      arrow.position.set(point[at], point[at + 1], point[at + 2]);
    }
  }
}
