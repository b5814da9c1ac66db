// The arrow under the pointer, in words.
// @ts-check
import { Vector3 } from "three";
import { h } from "../dom.js";
import { told } from "./numbers.js";

/** @typedef {import("../main.js").App} App */

const NEAR = 7; // px

/** @param {App} app */
export function hover(app) {
  const tip = h("div", { id: "arrow-tip", role: "tooltip", hidden: true });
  app.regions.view.append(tip);
  const { canvas } = app.regions;
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const arrow = event.buttons ? null : nearest(app, x, y, box.width, box.height);
    tip.hidden = arrow === null;
    if (!arrow) return;
    const { said, vector } = arrow;
    tip.replaceChildren(
      h("b", {}, said.name), h("br"), `${told(vector.length(), said.unit)} on ${said.on}`, h("br"),
      h("span", { className: "faint" }, said.text),
    );
    tip.style.left = `${Math.min(x + 14, box.width - 230)}px`;
    tip.style.top = `${Math.min(y + 14, box.height - 70)}px`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
}

/** @param {App} app @param {number} x @param {number} y @param {number} w @param {number} height */
export function nearest(app, x, y, w, height) {
  const { camera, loaded } = app.world, frame = loaded.bodies.root.matrixWorld;
  const onScreen = (/** @type {Vector3} */ p) => {
    const q = p.clone().applyMatrix4(frame).project(camera);
    return [(0.5 + 0.5 * q.x) * w, (0.5 - 0.5 * q.y) * height];
  };
  let found = null, least = NEAR;
  for (const arrow of app.effects.arrows.all) {
    if (!arrow.shown) continue;
    const [ax, ay] = onScreen(arrow.point), [bx, by] = onScreen(arrow.tip);
    const dx = bx - ax, dy = by - ay, long = dx * dx + dy * dy;
    const s = long > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / long)) : 0;
    const distance = Math.hypot(x - ax - s * dx, y - ay - s * dy);
    if (distance < least) [found, least] = [arrow, distance];
  }
  return found;
}
