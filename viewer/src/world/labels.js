// Names of bodies beside them, and the name of what the pointer is on. A name that would cover another one is left out.
// @ts-check
import { Vector3 } from "three";
import { h } from "../dom.js";

const MOST = 120;

export class Labels {
  /** @param {import("./world.js").World} world */
  constructor(world) {
    this.world = world;
    this.root = h("div", { id: "labels", "aria-hidden": "true" });
    this.tip = h("div", { id: "tip", role: "tooltip", hidden: true });
    /** @type {HTMLElement[]} */
    this.spare = [];
    world.app.regions.view.append(this.root, this.tip);
  }

  draw() {
    const { eye, loaded, app, canvas } = this.world, { look, hidden } = app.store.state;
    /** @type {{name: string, x: number, y: number}[]} */
    const wanted = [];
    if (look.names) {
      const { clientWidth: w, clientHeight: tall } = canvas, p = new Vector3();
      /** @type {{x: number, y: number, wide: number}[]} */
      const taken = [];
      for (const body of loaded.bodies.all) {
        if (hidden.has(body.name) || !body.parts.length || wanted.length >= MOST) continue;
        body.support.reduce((sum, s) => sum.add(s), p.set(0, 0, 0)).divideScalar(body.support.length).applyMatrix4(body.group.matrixWorld).project(eye);
        if (!(Math.abs(p.x) < 1 && Math.abs(p.y) < 1 && Math.abs(p.z) < 1)) continue;
        const x = ((p.x + 1) / 2) * w, y = ((1 - p.y) / 2) * tall, wide = 7 * body.name.length + 14;
        if (taken.some((t) => Math.abs(t.x - x) < (t.wide + wide) / 2 && Math.abs(t.y - y) < 20)) continue;
        taken.push({ x, y, wide });
        wanted.push({ name: body.name, x, y });
      }
    }
    while (this.spare.length < wanted.length) {
      const label = h("span", {});
      this.spare.push(label);
      this.root.append(label);
    }
    this.spare.forEach((label, k) => {
      const said = wanted[k];
      label.hidden = !said;
      if (!said) return;
      label.textContent = said.name;
      label.style.transform = `translate(${said.x.toFixed(1)}px, ${said.y.toFixed(1)}px) translate(-50%, -50%)`;
    });
  }

  /** @param {string} text @param {number} x @param {number} y [pixels] */
  say(text, x, y) {
    this.tip.hidden = !text;
    if (!text) return;
    this.tip.textContent = text;
    const left = Math.min(x + 14, this.world.canvas.clientWidth - this.tip.offsetWidth - 4), top = Math.min(y + 16, this.world.canvas.clientHeight - this.tip.offsetHeight - 4);
    this.tip.style.transform = `translate(${Math.max(left, 4)}px, ${Math.max(top, 4)}px)`;
  }
}
