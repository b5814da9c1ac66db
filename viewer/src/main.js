// The page: records, view, plot and time line, all moved by one state.
// @ts-check
import { h } from "./dom.js";
import { layout } from "./layout.js";
import { openSource } from "./source.js";
import { Store } from "./store.js";
import { Effects, NO_EFFECTS } from "./world/effects.js";
import { World } from "./world/world.js";
import { effectsPanel } from "./panels/effects.js";
import { partsPanel } from "./panels/parts.js";
import { signalsPanel } from "./panels/signals.js";
import { linearPanel } from "./plots/linear.js";
import { plotPanel } from "./plots/plot.js";
import { timeline } from "./time/timeline.js";

/** @typedef {import("./data.js").Block} Block */

export class App {
  /** @param {import("./source.js").Source} source @param {import("./layout.js").Layout} regions @param {Block[]} blocks */
  constructor(source, regions, blocks) {
    this.source = source;
    this.regions = regions;
    this.blocks = blocks;
    this.store = new Store({
      record: 0, time: blocks[0].time[0] ?? 0, playing: false, rate: 1, loop: false, selected: "", hidden: new Set(), clear: new Set(), curves: [], effects: NO_EFFECTS,
    });
    this.frames = 0;
    this.waiting = false;
    this.world = new World(regions.canvas, this);
    this.effects = new Effects(this);
  }

  /** The record that is shown. */
  get block() {
    return this.blocks[this.store.state.record];
  }

  /** Draw with the next frame of the browser; asked for many times, drawn once. */
  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.world.draw();
      this.frames += 1;
      document.documentElement.dataset.frames = String(this.frames);
      document.documentElement.dataset.ready = "yes";
    });
  }
}

async function start() {
  const source = await openSource();
  const said = await source.records();
  const blocks = await Promise.all(said.map((_, k) => source.block(k)));
  const app = new App(source, layout(), blocks);
  const { head } = app.block;
  document.title = head.title;
  app.regions.header.append(h("b", {}, head.title), h("span", { id: "about" }, `${head.kind}, ${head.status}, ${head.samples} samples; pitchline ${head.version}`));
  partsPanel(app);
  effectsPanel(app);
  signalsPanel(app);
  plotPanel(app);
  timeline(app);
  linearPanel(app);
  Object.assign(globalThis, { pitchlineView: app }); // for tests
  app.redraw();
}

start().catch((error) => {
  document.documentElement.dataset.ready = "failed";
  document.body.prepend(h("p", { id: "failure", role: "alert" }, error instanceof Error ? error.message : String(error)));
  throw error;
});
