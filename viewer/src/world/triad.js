// The model's axes in a corner of the view; a click on one looks along it.
// @ts-check
import { Vector3 } from "three";
import { AXES } from "./frames.js";

const SIZE = 84, LONG = 27;

/** @param {string} tag @param {Record<string, string>} attributes */
function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export class Triad {
  /** @param {import("./world.js").World} world */
  constructor(world) {
    this.world = world;
    const root = svg("svg", { id: "triad", viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`, width: String(SIZE), height: String(SIZE), "aria-hidden": "true" });
    this.axes = /** @type {const} */ (["x", "y", "z"]).map((name, k) => {
      const line = svg("line", { stroke: AXES[k], x1: "0", y1: "0" }), tip = svg("circle", { r: "8.5", fill: AXES[k] }), text = svg("text", {});
      text.textContent = name;
      const group = svg("g", {});
      group.append(line, tip, text);
      group.addEventListener("click", () => world.views.side(name));
      root.append(group);
      return { group, line, tip, text, direction: new Vector3(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0) };
    });
    this.root = root;
    world.app.regions.view.append(root);
  }

  draw() {
    const { eye, loaded } = this.world, inverse = eye.quaternion.clone().invert(), p = new Vector3();
    const placed = this.axes.map((axis) => ({ ...axis, depth: p.copy(axis.direction).transformDirection(loaded.root.matrixWorld).applyQuaternion(inverse).z, x: p.x * LONG, y: -p.y * LONG }));
    for (const { group, line, tip, text, x, y } of placed.sort((a, b) => a.depth - b.depth)) {
      const [sx, sy] = [x.toFixed(2), y.toFixed(2)];
      line.setAttribute("x2", sx);
      line.setAttribute("y2", sy);
      tip.setAttribute("cx", sx);
      tip.setAttribute("cy", sy);
      text.setAttribute("x", sx);
      text.setAttribute("y", sy);
      this.root.append(group); // nearer ones last, thus above
    }
  }
}
