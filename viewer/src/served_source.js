// Records and series from the local server that `pitchline view` starts.
// @ts-check
import { Block } from "./data.js";
import { h } from "./dom.js";

/** @typedef {import("./source.js").Source} Source */
/** @typedef {import("./source.js").Series} Series */
/** @typedef {import("./source.js").RecordSaid} RecordSaid */

const KEY = "pitchline view";
const NO_TOKEN = "This tab does not have the token of the local server. Open the complete address that pitchline view printed in the terminal, including the part after the #.";
const GONE = "The local server has ended. What is shown here stays; to go on, run pitchline view again.";

/** An answer that is a refusal; data: all that the server said. */
export class Refused extends Error {
  /** @param {number} status of HTTP @param {any} data */
  constructor(status, data) {
    super(typeof data?.error === "string" ? data.error : `The local server answered with status ${status}.`);
    this.status = status;
    this.data = data;
  }
}

/** @implements {Source} */
export class ServedSource {
  live = true;
  /** Paths that the server answers. @type {ReadonlySet<string>} */
  routes = new Set();
  /** @param {string} token */
  constructor(token) {
    this.token = token;
    /** Questions for series that have no answer yet. @type {Map<string, AbortController>} */
    this.waiting = new Map();
  }

  /** @returns {Promise<RecordSaid[]>} */
  async records() {
    return this.get("/api/records");
  }

  /** @param {number} record */
  async block(record) {
    return new Block(await (await this.ask(`/api/scene?record=${record}`)).arrayBuffer());
  }

  /**
   * Of several questions for the same curves the latest one counts: those before it end with an error named AbortError.
   * @param {number} record @param {string[]} names @param {number} from [s] @param {number} to [s] @param {number} columns @returns {Promise<Series>}
   */
  async series(record, names, from, to, columns) {
    if (!names.length) return { time: new Float64Array(0), low: [], high: [] };
    const asked = new URLSearchParams({ record: String(record), px: String(columns) });
    for (const name of names) asked.append("name", name);
    const curves = asked.toString();
    if (Number.isFinite(from)) asked.set("from", String(from));
    if (Number.isFinite(to)) asked.set("to", String(to));
    this.waiting.get(curves)?.abort();
    const ending = new AbortController();
    this.waiting.set(curves, ending);
    try {
      const answer = await this.ask(`/api/series?${asked}`, { signal: ending.signal });
      return seriesOf(answer.headers.get("X-Shape") ?? "", await answer.arrayBuffer());
    } finally {
      if (this.waiting.get(curves) === ending) this.waiting.delete(curves);
    }
  }

  /** Plain data. @param {string} path @returns {Promise<any>} */
  async get(path) {
    return (await this.ask(path)).json();
  }

  /** Send plain data, get plain data. @param {string} path @param {Record<string, any>} data @returns {Promise<any>} */
  async post(path, data) {
    return (await this.ask(path, { method: "POST", body: JSON.stringify(data), headers: { "Content-Type": "application/json" } })).json();
  }

  /** Events as they come, until the server ends them or `signal` does. @param {string} path @param {AbortSignal} [signal] @returns {AsyncGenerator<any, void, void>} */
  async *events(path, signal) {
    const answer = await this.ask(path, { signal });
    if (!answer.body) return;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const events = (text + value).split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) if (event.startsWith("data: ")) yield JSON.parse(event.slice(6));
      }
    } finally {
      reader.cancel().catch(() => undefined); // of a connection that has ended already
    }
  }

  /** @param {string} path @param {RequestInit} [options] @returns {Promise<Response>} */
  async ask(path, options = {}) {
    const headers = { ...options.headers, Authorization: `Bearer ${this.token}` };
    let answer;
    try {
      answer = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      tell(GONE);
      throw new Error(GONE, { cause: error });
    }
    tell("");
    if (answer.ok) return answer;
    if (answer.status === 401) {
      keepToken("");
      throw new Refused(401, { error: NO_TOKEN });
    }
    throw new Refused(answer.status, await answer.json().catch(() => null));
  }
}

/** @param {string} shape curves, rows of each, columns @param {ArrayBuffer} buffer @returns {Series} */
export function seriesOf(shape, buffer) {
  const [curves, rows, columns] = shape.split(",").map(Number);
  if (!(curves >= 0 && (rows === 1 || rows === 2) && columns >= 0) || buffer.byteLength !== 8 * columns * (1 + curves * rows)) {
    throw new Error("The answer of the local server is incomplete. Reload the page.");
  }
  const row = (/** @type {number} */ k) => new Float64Array(buffer, 8 * columns * k, columns);
  const low = Array.from({ length: curves }, (_, k) => row(1 + k * rows));
  return { time: row(0), low, high: rows === 1 ? low : low.map((_, k) => row(2 + k * rows)) };
}

/** The source of a page that a server sent. */
export async function openServed() {
  // a new address that is typed into this tab differs behind the # only, which does not load the page again
  addEventListener("hashchange", () => { if (location.hash.length > 1) location.reload(); });
  const token = takeToken();
  if (!token) throw new Error(NO_TOKEN);
  const source = new ServedSource(token);
  source.routes = new Set(await source.get("/api/routes"));
  return source;
}

/** From behind the # of the address, which is then cleaned: it would be copied and kept with the history. Else of this tab. */
function takeToken() {
  const given = location.hash.slice(1);
  if (!given) return keptToken();
  keepToken(given);
  history.replaceState(null, "", location.pathname);
  return given;
}

/** Kept for this tab, so that it can be loaded again. @param {string} token */
function keepToken(token) {
  try {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  } catch {
    // a browser that keeps nothing: the page works until it is loaded again
  }
}

function keptToken() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} text of what is wrong with the server; "" for nothing */
function tell(text) {
  const there = document.getElementById("server-gone");
  if (there && !text) there.remove();
  if (!there && text) document.body.prepend(h("p", { id: "server-gone", role: "alert" }, text));
}
