// What a page asks of the local server beside records and curves: parameters, runs, saving.
// @ts-check

/** @typedef {{name: string, value: string, unit: string, text: string, low?: number, high?: number, choices?: string[], formula?: string}} Parameter */
/**
 * @typedef {object} Run
 * @property {number} run Its number, from 1.
 * @property {string} name What was changed.
 * @property {Record<string, string>} parameters
 * @property {"running" | "stopping" | "completed" | "stopped" | "failed"} state
 * @property {string} message Why it failed, or where it was stopped.
 * @property {string} title What it does at present.
 * @property {string} detail
 * @property {number | null} fraction Part of that which is done.
 * @property {number | null} left Time left [s].
 * @property {number} seconds Time spent [s].
 * @property {number[]} records Those that it has added.
 * @property {number[]} results Those of them that can be saved as result files.
 * @property {string[]} remarks
 */
/** @typedef {{model: string, source: string, folder: string, has_file: boolean, analyses: string[], parameters: Parameter[], runs: Run[]}} Form */
/** @typedef {{parameter: string, message: string}} Problem */

export class RunLink {
  /** @param {import("../served_source.js").ServedSource} source */
  constructor(source) {
    this.source = source;
  }

  /** Whether the server has a model to run. */
  get offered() {
    return this.source.routes.has("/api/parameters");
  }
  /** Or why no model can be run. @returns {Promise<Form | {why: string}>} */
  form() {
    return this.source.get("/api/parameters");
  }
  /** @param {Record<string, string>} parameters @returns {Promise<Run>} */
  run(parameters) {
    return this.source.post("/api/run", { parameters });
  }
  /** @returns {Promise<Run>} */
  stop() {
    return this.source.post("/api/stop", {});
  }
  /** @param {number} run @param {"model" | "result"} what @param {string} name @param {number} [record] @returns {Promise<{saved: string}>} */
  save(run, what, name, record) {
    return this.source.post("/api/save", record === undefined ? { run, what, name } : { run, what, name, record });
  }
  /** How far the present run is, until it ends. @returns {AsyncGenerator<Run, void, void>} */
  progress() {
    return this.source.events("/api/progress");
  }
}
