// Spectra and orders of the visible window.
// @ts-check
import { find } from "../data.js";
import { curvesOf } from "../signal_names.js";
import { amplitudes, peaksOf } from "./fft.js";
import { evenly, isEven, wholeRun } from "./even.js";

/** @typedef {import("../data.js").Block} Block */
/** @typedef {{time: ArrayLike<number>, low: ArrayLike<number>, high: ArrayLike<number>}} Samples */
/** line: distance of two frequencies that can be told apart. notes: what was done to the samples, in words. */
/** @typedef {{x: Float64Array, y: Float64Array, peaks: {x: number, y: number}[], line: number, notes: string[]}} Spectrum */
/** Revolutions, or mesh cycles, that a reference has turned at its times. @typedef {{time: ArrayLike<number>, turns: Float64Array, of: string}} Reference */

const LEAST = 16; // samples of a spectrum
const PEAKS = 6;
/** Two peaks of the Hann window are told apart when they lie so many lines of the unpadded spectrum from each other. */
const APART = 3;

/** Why there is no spectrum of smallest and largest values. */
export class LeftOut extends Error {}

/** @param {Samples} samples @param {number} from [s] @param {number} to [s] */
function windowOf(samples, from, to) {
  const { time, low, high } = samples;
  if (low !== high) throw new LeftOut("Samples were left out, so that a spectrum cannot be computed");
  const run = wholeRun(time, low, from, to);
  if (run.to - run.from < LEAST) throw new Error(`A spectrum needs ${LEAST} samples or more; this window has ${run.to - run.from}.`);
  const notes = ["Hann window, mean removed"];
  if (run.gaps) notes.push("only the longest interval without gaps");
  return { ...run, notes };
}

/** Amplitudes over frequency [Hz] between two times. @param {Samples} samples @param {number} from [s] @param {number} to [s] @returns {Spectrum} */
export function spectrum(samples, from, to) {
  const { time, low } = samples;
  const run = windowOf(samples, from, to), { notes } = run, n = run.to - run.from;
  const length = time[run.to - 1] - time[run.from];
  if (!isEven(time, run.from, run.to)) notes.push("resampled to equal time steps");
  const even = evenly(time, low, run.from, run.to, n);
  const lines = amplitudes(even, length / (n - 1));
  return { ...lines, peaks: peaksOf(lines, APART / length, PEAKS), line: 1 / length, notes };
}

/** Amplitudes over orders: cycles a turn of the reference. @param {Samples} samples @param {Reference} reference @param {number} from [s] @param {number} to [s] @returns {Spectrum} */
export function orders(samples, reference, from, to) {
  const { time, low } = samples;
  const run = windowOf(samples, from, to), { notes } = run, n = run.to - run.from;
  const turned = Float64Array.from({ length: n }, (_, i) => turnsAt(reference, time[run.from + i]));
  const total = turned[n - 1] - turned[0], sense = Math.sign(total);
  if (!(Math.abs(total) >= 1)) throw new Error(`${reference.of} turns ${Math.abs(total).toPrecision(2)} times in this window; orders need one turn or more.`);
  for (let i = 0; i < n; i++) turned[i] *= sense;
  for (let i = 0; i + 1 < n; i++) if (!(turned[i + 1] > turned[i])) throw new Error(`${reference.of} stops or reverses in this window: choose a shorter window or another reference.`);
  notes.push("resampled to equal steps of the reference");
  const even = evenly(turned, Float64Array.from({ length: n }, (_, i) => low[run.from + i]), 0, n, n);
  const lines = amplitudes(even, Math.abs(total) / (n - 1));
  return { ...lines, peaks: peaksOf(lines, APART / Math.abs(total), PEAKS), line: 1 / Math.abs(total), notes };
}

/** @param {Reference} reference @param {number} t */
export function turnsAt({ time, turns }, t) {
  const { i, f } = find(/** @type {Float64Array} */ (time), t);
  return f ? turns[i] + f * (turns[i + 1] - turns[i]) : turns[i];
}

export const CYCLES = "mesh cycles of ";

/** What orders can be counted by: mesh cycles of pairs, then speeds and angles. @param {Block} block */
export function referencesOf(block) {
  const pairs = block.head.pairs.filter((pair) => pair.cycles).map((pair) => CYCLES + pair.name);
  const turning = [...curvesOf(block).values()].filter(({ unit }) => unit === "rad/s" || unit === "rad");
  const rank = (/** @type {string} */ own) => (own === "angular_speed" ? 0 : own.startsWith("angular_velocity") ? 1 : own === "angle" || own.startsWith("psi") ? 2 : 3);
  return [...pairs, ...turning.sort((a, b) => rank(a.own) - rank(b.own)).map(({ name }) => name)];
}

/** The mesh cycles of a pair. @param {Block} block @param {string} name of the pair @returns {Reference | undefined} */
export function meshReference(block, name) {
  const pair = block.head.pairs.find((p) => p.name === name);
  return pair?.cycles ? { time: block.time, turns: Float64Array.from(block.float(pair.cycles)), of: `the mesh ${name}` } : undefined;
}

/** Turns from a speed [rad/s], summed up, or from an angle [rad]. @param {Samples} samples @param {string} unit @param {string} name @returns {Reference} */
export function turnsOf({ time, low }, unit, name) {
  const turns = new Float64Array(time.length);
  for (let i = 0; i < turns.length; i++) {
    if (unit === "rad") turns[i] = low[i] / (2 * Math.PI);
    else if (i) turns[i] = turns[i - 1] + ((low[i] + low[i - 1]) * (time[i] - time[i - 1])) / (4 * Math.PI);
  }
  return { time, turns, of: name };
}
