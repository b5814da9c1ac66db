// What the charts show: one row a unit, with its lines over time, over a signal, over frequency or over orders.
// @ts-check
import { find } from "../data.js";
import { figures, quantity, shownIn, timeAxis, timeUnit } from "../format.js";
import { curvesOf } from "../signal_names.js";
import { keyOf } from "./curves.js";
import { inside, valueRange } from "./paint.js";
import { CYCLES, LeftOut, meshReference, orders, spectrum, turnsAt, turnsOf } from "./spectrum.js";

/** @typedef {import("../main.js").App} App */
/** @typedef {import("./curves.js").Curve} Curve */
/** @typedef {import("./curves.js").Samples} Samples */
/** @typedef {import("./paint.js").Line} Line */
/** labels: of the vertical axis, the fullest first. xFactor: of the texts of the axis; xScale: of values that were put on it. said: what stands in the legend instead of the value at the time. */
/** @typedef {{unit: string, shown: import("../format.js").Shown, labels: string[], curves: Curve[], lines: Line[], peaks: import("./chart.js").Peak[], said: string[]}} Row */
/** @typedef {{rows: Row[], x: [number, number], whole: [number, number], xLabel: string, xUnit: string, xFactor: number, xScale: number, marks: import("./chart.js").Mark[], notes: string[]}} Figure */

const EMPTY = new Float64Array(0);
const HARMONICS = 5;

/** Curves of one unit together. @param {Curve[]} curves */
function byUnit(curves) {
  /** @type {Map<string, Curve[]>} */
  const units = new Map();
  for (const curve of curves) units.set(curve.unit, [...(units.get(curve.unit) ?? []), curve]);
  return [...units];
}

/** Row of lines that are in the units of the file; they are brought to a readable one. @param {App} app @param {string} unit @param {Curve[]} curves @param {Line[]} lines @param {[number, number]} x @returns {Row} */
function row(app, unit, curves, lines, x) {
  const [low, high] = valueRange(lines, x[0], x[1], false) ?? [0, 0];
  const shown = shownIn(unit, Math.max(Math.abs(low), Math.abs(high)), app.store.state.degrees);
  for (const line of lines) line.factor = shown.factor;
  const own = new Set(curves.map((c) => curvesOf(app.blocks[c.record]).get(c.name)?.own ?? c.name));
  const names = new Set(curves.map((c) => c.name));
  const name = names.size === 1 ? [...names][0] : own.size === 1 ? [...own][0] : "";
  const short = own.size === 1 ? [...own][0] : "";
  const labels = [name, short].filter(Boolean).map((text) => (shown.unit ? `${text} (${shown.unit})` : text));
  return { unit, shown, labels, curves, lines, peaks: [], said: [] };
}

/** @param {App} app @param {Curve[]} curves @param {Map<string, Samples>} samples @param {[number, number]} range [s] @param {[number, number]} whole [s] @returns {Figure} */
export function overTime(app, curves, samples, range, whole) {
  const axis = timeAxis(app.block), { unit, factor } = timeUnit(range[1] - range[0], axis);
  const rows = byUnit(curves).map(([u, some]) => row(app, u, some, some.map((c) => {
    const { time, low, high } = samples.get(keyOf(c.record, c.name)) ?? { time: EMPTY, low: EMPTY, high: EMPTY };
    return { x: time, low, high, factor: 1, colour: c.colour, dash: c.dash };
  }), range));
  return { rows, x: range, whole, xLabel: `${axis.label} (${unit})`, xUnit: unit, xFactor: factor, xScale: 1, marks: [], notes: [] };
}

/** One signal over another, for the times that are shown. @param {App} app @param {Curve[]} curves @param {Map<string, Samples>} samples @param {[number, number]} range [s] @returns {Figure} */
export function overSignal(app, curves, samples, range) {
  const { over, degrees } = app.store.state;
  const unit = app.blocks.map((block) => curvesOf(block).get(over)?.unit).find((u) => u !== undefined) ?? "";
  let least = Infinity, most = -Infinity;
  const notes = [];
  for (const { record } of curves) {
    const held = samples.get(keyOf(record, over));
    if (!held) continue;
    const [a, b] = inside(held.time, range[0], range[1]);
    for (let i = a; i < b; i++) {
      if (held.low[i] < least) least = held.low[i];
      if (held.high[i] > most) most = held.high[i];
    }
    if (held.low !== held.high) notes.push("samples were left out: middles of smallest and largest values are drawn; zoom in for all samples");
  }
  if (!(least <= most)) [least, most] = [0, 1];
  const shown = shownIn(unit, Math.max(Math.abs(least), Math.abs(most)), degrees);
  const pad = 0.03 * (most - least) || Math.abs(most) * 0.05 || 1;
  /** @type {[number, number]} */
  const x = [(least - pad) * shown.factor, (most + pad) * shown.factor];
  const middle = (/** @type {Samples} */ s, /** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ f) => Float64Array.from({ length: Math.max(b - a, 0) }, (_, i) => 0.5 * (s.low[a + i] + s.high[a + i]) * f);
  const rows = byUnit(curves).map(([u, some]) => row(app, u, some, some.map((c) => {
    const held = samples.get(keyOf(c.record, c.name)), base = samples.get(keyOf(c.record, over));
    const line = { x: EMPTY, low: EMPTY, high: EMPTY, factor: 1, colour: c.colour, dash: c.dash, free: true };
    if (!held || !base) return line;
    const [a, b] = inside(held.time, range[0], range[1]);
    const values = middle(held, a, b, 1);
    return { ...line, x: middle(base, a, b, shown.factor), low: values, high: values };
  }), x));
  return { rows, x, whole: x, xLabel: shown.unit ? `${over} (${shown.unit})` : over, xUnit: shown.unit, xFactor: 1, xScale: shown.factor, marks: [], notes: [...new Set(notes)] };
}

/**
 * Spectra or orders of the window. lines: what is shown of the axis, if it was zoomed.
 * @param {App} app @param {Curve[]} curves @param {Map<string, Samples>} samples @param {[number, number]} range [s] @param {readonly [number, number] | null} shown @returns {Figure}
 */
export function overFrequency(app, curves, samples, range, shown) {
  const { plot, reference } = app.store.state;
  const axis = timeAxis(app.block), { unit: second, factor: per } = timeUnit(range[1] - range[0], axis);
  const cycles = axis.unit === "s" ? "Hz" : `1/${axis.unit}`;
  /** @type {Set<string>} */
  const notes = new Set();
  /** @type {Map<Curve, import("./spectrum.js").Spectrum>} */
  const spectra = new Map();
  for (const curve of curves) {
    const held = samples.get(keyOf(curve.record, curve.name));
    try {
      if (!held) throw new Error("There are no samples.");
      const made = plot === "spectrum" ? spectrum(held, range[0], range[1]) : orders(held, referenceOf(app, curve.record, reference, samples), range[0], range[1]);
      spectra.set(curve, made);
      for (const note of made.notes) notes.add(note);
      notes.add(plot === "spectrum" ? `lines ${quantity(made.line, cycles)} apart` : `lines ${figures(made.line)} orders apart`);
    } catch (error) {
      const more = error instanceof LeftOut ? (app.source.live ? ": zoom in" : ": open the result file with `pitchline view`") : "";
      notes.add((error instanceof Error ? error.message : String(error)) + more);
    }
  }
  if (spectra.size) notes.add(`of ${figures(range[0] * per)} to ${figures(range[1] * per)} ${second}`);
  const marks = meshMarks(app, curves, samples, range);
  const end = Math.max(0, ...[...spectra.values()].map((s) => s.x[s.x.length - 1]));
  // not less than forty lines of the spectrum, however low its peaks are
  const wanted = Math.max(0, ...[...spectra.values()].map((s) => s.line * 40), ...marks.slice(0, 3).map((m) => m.x * 1.15), ...[...spectra.values()].flatMap((s) => s.peaks.map((p) => p.x * 1.25)));
  /** @type {[number, number]} */
  const whole = [0, end || 1];
  /** @type {[number, number]} */
  const x = shown ? [shown[0], shown[1]] : [0, Math.min(whole[1], wanted || whole[1])];
  const hertz = shownIn(cycles, x[1]);
  const rows = byUnit(curves).map(([unit, some]) => {
    const made = row(app, unit, some, some.map((c) => {
      const s = spectra.get(c), y = s?.y ?? EMPTY;
      return { x: s?.x ?? EMPTY, low: y, high: y, factor: 1, colour: c.colour, dash: c.dash };
    }), x);
    const place = (/** @type {number} */ at) => (plot === "spectrum" ? quantity(at, cycles) : figures(at));
    made.peaks = some.flatMap((c) => (spectra.get(c)?.peaks ?? []).map((p) => ({ x: p.x, y: p.y * made.shown.factor, colour: c.colour, text: place(p.x) }))).sort((p, q) => q.y - p.y);
    made.said = some.map((c) => {
      const top = spectra.get(c)?.peaks[0];
      return top ? `${figures(top.y * made.shown.factor)} ${made.shown.unit}, ${place(top.x)}`.replace(" ,", ",") : "—";
    });
    made.labels = [made.shown.unit ? `amplitude (${made.shown.unit})` : "amplitude"];
    return made;
  });
  const label = plot === "spectrum" ? `frequency (${hertz.unit})` : reference.startsWith(CYCLES) ? `order, per ${reference.replace(CYCLES, "mesh cycle of ")}` : `order, per revolution by ${reference}`;
  return { rows, x, whole, xLabel: label, xUnit: plot === "spectrum" ? hertz.unit : "", xFactor: plot === "spectrum" ? hertz.factor : 1, xScale: 1, marks, notes: [...notes] };
}

/** @param {App} app @param {number} record @param {string} name @param {Map<string, Samples>} samples */
function referenceOf(app, record, name, samples) {
  const block = app.blocks[record];
  const mesh = name.startsWith(CYCLES) ? meshReference(block, name.slice(CYCLES.length)) : undefined;
  if (mesh) return mesh;
  const held = samples.get(keyOf(record, name)), said = curvesOf(block).get(name);
  if (!held || !said) throw new Error(name ? `${block.head.name} has no "${name}" to count orders by.` : "Choose the reference of the orders: a speed, an angle or a mesh.");
  if (held.low !== held.high) throw new LeftOut("Samples were left out, so that orders cannot be computed");
  return turnsOf(held, said.unit, name);
}

/** Whether a mesh passes a whole cycle or more in one sense: back and forth, its mean frequency means nothing. @param {import("./spectrum.js").Reference} mesh @param {number} from @param {number} to */
function oneWay(mesh, from, to) {
  const [a, b] = [find(/** @type {Float64Array} */ (mesh.time), from).i, find(/** @type {Float64Array} */ (mesh.time), to).i];
  let all = 0;
  for (let i = a; i < b; i++) all += Math.abs(mesh.turns[i + 1] - mesh.turns[i]);
  const net = Math.abs(turnsAt(mesh, to) - turnsAt(mesh, from));
  return net >= 1 && all <= 1.05 * net + 0.5;
}

/** Mesh frequencies in the window and their multiples; of pairs with the same one, the first. @param {App} app @param {Curve[]} curves @param {Map<string, Samples>} samples @param {[number, number]} range */
function meshMarks(app, curves, samples, range) {
  const { plot, reference } = app.store.state;
  /** @type {{x: number, text: string}[]} */
  const first = [];
  for (const record of new Set(curves.map((c) => c.record))) {
    const block = app.blocks[record];
    const from = Math.max(range[0], block.time[0] ?? 0), to = Math.min(range[1], block.time[block.time.length - 1] ?? 0);
    if (!(to > from)) continue;
    for (const pair of block.head.pairs) {
      const mesh = meshReference(block, pair.name);
      if (!mesh || !oneWay(mesh, from, to)) continue;
      let passed = Math.abs(turnsAt(mesh, to) - turnsAt(mesh, from));
      try {
        const base = plot === "orders" ? referenceOf(app, record, reference, samples) : undefined;
        passed /= base ? Math.abs(turnsAt(base, to) - turnsAt(base, from)) : to - from;
      } catch {
        continue; // the curve says why there are no orders
      }
      if (passed > 0 && Number.isFinite(passed) && first.length < 6 && !first.some((m) => Math.abs(m.x - passed) < 0.005 * passed)) first.push({ x: passed, text: pair.name });
    }
  }
  return first.flatMap(({ x, text }) => Array.from({ length: first.length > 2 ? 1 : HARMONICS }, (_, k) => ({ x: (k + 1) * x, text: k ? `${k + 1}×` : `${text} 1×` }))).sort((a, b) => a.x - b.x);
}

/** Where a curve over a signal stands at a time. @param {Map<string, Samples>} samples @param {Curve} curve @param {string} over @param {number} t */
export function placeAt(samples, curve, over, t) {
  const x = samples.get(keyOf(curve.record, over)), y = samples.get(keyOf(curve.record, curve.name));
  if (!x || !y || !x.time.length || t < x.time[0] || t > x.time[x.time.length - 1]) return null;
  const { i, f } = find(x.time, t);
  const at = (/** @type {Samples} */ s) => {
    const a = 0.5 * (s.low[i] + s.high[i]);
    return f ? a + f * (0.5 * (s.low[i + 1] + s.high[i + 1]) - a) : a;
  };
  return { x: at(x), y: at(y) };
}
