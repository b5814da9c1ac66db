// The page: records, view, plot and time line, all moved by one state.
// @ts-check
import { h } from "./dom.js";
import { layout } from "./layout.js";
import { openSource } from "./source.js";
import { Store } from "./store.js";
import { Effects, NO_EFFECTS } from "./world/effects.js";
import { LOOK } from "./world/look.js";
import { tools } from "./world/tools.js";
import { World } from "./world/world.js";
import { effectsPanel } from "./panels/effects.js";
import { header } from "./panels/header.js";
import { parametersPanel } from "./panels/parameters.js";
import { partsPanel } from "./panels/parts.js";
import { selectedPanel } from "./panels/selected.js";
import { signalsPanel } from "./panels/signals.js";
import { linearPanel } from "./plots/linear.js";
import { plotPanel } from "./plots/plot.js";
import { keys } from "./time/keys.js";
import { span } from "./time/span.js";
import { timeline } from "./time/timeline.js";

/** @typedef {import("./data.js").Block} Block */

export class App {
  /** @param {import("./source.js").Source} source @param {import("./layout.js").Layout} regions @param {Block[]} blocks */
  constructor(source, regions, blocks) {
    this.source = source;
    this.regions = regions;
    this.blocks = blocks;
    // what moves comes first, if anything does
    const record = Math.max(blocks.map(span).findIndex(({ from, to }) => to > from), 0);
    this.store = new Store({
      record, records: blocks.length, time: span(blocks[record]).from, playing: false, rate: 1, loop: false, selected: "", hidden: new Set(), clear: new Set(), look: LOOK, effects: NO_EFFECTS,
      curves: [], overlay: true, range: null, plot: "time", over: "", reference: "", log: false, degrees: false, arrived: 0, theme: themeOfPage(),
    });
    this.frames = 0;
    this.waiting = false;
    /** What draws in three dimensions; without WebGL there is none, and plots and values work all the same. */
    this.world = /** @type {World} */ (/** @type {unknown} */ (undefined));
    this.effects = /** @type {Effects} */ (/** @type {unknown} */ (undefined));
    try {
      this.world = new World(regions.canvas, this);
      this.effects = new Effects(this);
      this.world.show(); // with what hangs on displacements
    } catch (error) {
      regions.view.replaceChildren(failure(error));
      console.error(error);
    }
  }

  /** The record that is shown. */
  get block() {
    return this.blocks[this.store.state.record];
  }

  /** Take in one more record, such as that of a new run. @param {Block} block @returns {number} its number */
  add(block) {
    this.blocks.push(block);
    this.store.set({ records: this.blocks.length });
    return this.blocks.length - 1;
  }

  /** Draw with the next frame of the browser; asked for many times, drawn once. */
  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.world?.draw();
      this.frames += 1;
      document.documentElement.dataset.frames = String(this.frames);
      document.documentElement.dataset.ready = this.world ? "yes" : "flat";
    });
  }
}

/** @param {unknown} error */
function failure(error) {
  return h("p", { id: "failure", role: "alert" }, error instanceof Error ? error.message : String(error));
}

/** Colours that whoever wrote the page chose. @returns {"system" | "light" | "dark"} */
function themeOfPage() {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

async function start() {
  const source = await openSource();
  const said = await source.records();
  if (!said.length) throw new Error("This page contains no record. Write the page again.");
  const blocks = await Promise.all(said.map((_, k) => source.block(k)));
  const app = new App(source, layout(), blocks);
  header(app);
  if (app.world) {
    partsPanel(app);
    tools(app);
    effectsPanel(app);
  }
  signalsPanel(app);
  selectedPanel(app);
  const act = timeline(app);
  plotPanel(app);
  linearPanel(app);
  keys(app, act);
  parametersPanel(app);
  Object.assign(globalThis, { pitchlineView: app }); // for tests
  app.redraw();
}

start().catch((error) => {
  document.documentElement.dataset.ready = "failed";
  document.body.prepend(failure(error));
  throw error;
});
