// How fast a run may be shown. A wheel seems to stand or to run backwards when its teeth move half a pitch or more between two
// pictures; here no tooth moves more than a quarter of its pitch.
// @ts-check
import { find } from "../data.js";
import { span } from "./span.js";

/** @typedef {import("../data.js").Block} Block */

/** Part of a pitch that a tooth may move from one picture to the next. */
export const PITCH_PART = 0.25;
const FRAMES = 60; // pictures a second that a browser draws at best
const NOISE = 1e-3; // teeth between two samples that single precision may make up; so slow nothing seems to run backwards
const SHORTEST = 8, LONGEST = 60; // a run takes so long on the page, where teeth allow it [s]

/** Teeth a second that pass anywhere, between each sample of the poses and the next. @param {Block} block @returns {Float64Array} [1/s] */
export function toothRates(block) {
  const { head, time } = block;
  const rates = new Float64Array(Math.max(time.length - 1, 0));
  const raise = (/** @type {number} */ i, /** @type {number} */ teeth) => {
    const length = time[i + 1] - time[i];
    if (!(length > 0) || !(Math.abs(teeth) > NOISE)) return;
    rates[i] = Math.max(rates[i], Math.abs(teeth) / length);
  };
  for (const pair of head.pairs) {
    if (!pair.cycles) continue;
    const cycles = block.float(pair.cycles);
    for (let i = 0; i < rates.length && i + 1 < cycles.length; i++) raise(i, cycles[i + 1] - cycles[i]);
  }
  // turns in space too: the sun of a planetary passes more teeth before the eye than its mesh
  for (const body of head.bodies) {
    const count = Math.max(0, ...body.parts.map((part) => head.shapes[part.shape]).map((shape) => (shape?.type === "turned" ? shape.count : 0)));
    const q = count && body.turn ? block.float(body.turn) : null;
    if (!q || q.length < 4 * time.length) continue;
    for (let i = 0; i < rates.length; i++) {
      // the sine of half the angle: the cosine tells small turns badly in single precision
      const k = 4 * i, a = q[k], b = q[k + 1], c = q[k + 2], d = q[k + 3], e = q[k + 4], f = q[k + 5], g = q[k + 6], h = q[k + 7];
      const sine = Math.hypot(a * f - b * e - c * h + d * g, a * g - c * e - d * f + b * h, a * h - d * e - b * g + c * f);
      raise(i, (count * Math.asin(Math.min(sine, 1))) / Math.PI);
    }
  }
  return rates;
}

/**
 * The time of the next picture: as far as is wanted, or until a tooth has moved a quarter of its pitch.
 * @param {Block} block @param {Float64Array} rates @param {number} t [s] @param {number} wanted [s] @returns {number} [s]
 */
export function nextPicture(block, rates, t, wanted) {
  const { time } = block;
  let left = PITCH_PART, at = t;
  for (let { i } = find(time, t); i < rates.length && at < wanted; i++) {
    const end = Math.min(time[i + 1], wanted);
    const teeth = rates[i] * Math.max(end - at, 0);
    if (teeth >= left) return at + left / rates[i];
    left -= teeth;
    at = Math.max(end, at);
  }
  return wanted;
}

/** Factor of speed to begin with. @param {Block} block @param {Float64Array} rates */
export function firstRate(block, rates) {
  const { from, to } = span(block);
  if (!(to > from)) return 1;
  const pleasant = Math.max(Math.min(1, (to - from) / SHORTEST), (to - from) / LONGEST);
  const fastest = rates.reduce((a, b) => Math.max(a, b), 0);
  return roundRate(fastest > 0 ? Math.min(pleasant, (PITCH_PART * FRAMES) / fastest) : pleasant, -1);
}

/** The next of 1, 2, 5, 10, … on one side, or the value itself where it is one. @param {number} rate @param {1 | -1} side */
export function roundRate(rate, side) {
  const decade = 10 ** Math.floor(Math.log10(rate) + 1e-9);
  const steps = [1, 2, 5, 10].map((s) => s * decade);
  const found = side > 0 ? steps.find((s) => s >= rate * (1 - 1e-9)) : steps.findLast((s) => s <= rate * (1 + 1e-9));
  return Number((found ?? decade).toPrecision(3));
}

/** Faster or slower by one of 1, 2, 5. @param {number} rate @param {1 | -1} side */
export function nextRate(rate, side) {
  return Math.min(Math.max(roundRate(side > 0 ? rate * 1.01 : rate / 1.01, side), 1e-9), 1e4);
}

/** The pair whose mesh periods are stepped through: the selected one, one of the selected part, or the first. @param {Block} block @param {string} selected */
export function steppedPair(block, selected) {
  const counted = block.head.pairs.filter((pair) => pair.cycles);
  return counted.find((p) => p.name === selected) ?? counted.find((p) => [p.wheel_a, p.wheel_b, p.body_a, p.body_b].includes(selected)) ?? counted[0];
}

/** The time one mesh period before or after; the end of the run where there is none. @param {Block} block @param {string} selected @param {number} t @param {1 | -1} side */
export function meshStep(block, selected, t, side) {
  const { from, to } = span(block), { time } = block;
  const pair = steppedPair(block, selected);
  const end = side > 0 ? to : from;
  if (!pair?.cycles) return end;
  const cycles = block.float(pair.cycles);
  const { i, f } = find(time, t);
  const here = f ? cycles[i] + f * (cycles[i + 1] - cycles[i]) : cycles[i];
  for (let k = side > 0 ? i + 1 : f > 0 ? i : i - 1; k >= 0 && k < time.length; k += side) {
    const before = Math.min(Math.max(k - side, 0), time.length - 1);
    const passed = cycles[k] - here;
    if (Math.abs(passed) < 1 - 1e-6) continue;
    const goal = here + Math.sign(passed);
    const part = (goal - cycles[before]) / (cycles[k] - cycles[before]);
    return time[before] + part * (time[k] - time[before]);
  }
  return end;
}

/** The sample before or after a time. @param {Block} block @param {number} t @param {1 | -1} side */
export function sampleStep(block, t, side) {
  const { time } = block, { from, to } = span(block);
  const slack = 1e-9 * (to - from);
  if (side > 0) return time.find((s) => s > t + slack) ?? to;
  return time.findLast((s) => s < t - slack) ?? from;
}
