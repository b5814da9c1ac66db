// Fourier transform of 2^k values, in place, and what is built upon it.
// @ts-check

/** Radix 2: bits reversed, then butterflies. @param {Float64Array} re @param {Float64Array} im of the same length, a power of two */
export function fft(re, im) {
  const n = re.length;
  if (n !== im.length || n < 1 || (n & (n - 1)) !== 0) throw new Error(`fft: ${n} values; a power of two is needed`);
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  // one table of the unit circle: repeated multiplication would lose digits
  const cos = new Float64Array(n >> 1), sin = new Float64Array(n >> 1);
  for (let k = 0; k < n >> 1; k++) {
    cos[k] = Math.cos((2 * Math.PI * k) / n);
    sin[k] = -Math.sin((2 * Math.PI * k) / n);
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size >> 1, step = n / size;
    for (let start = 0; start < n; start += size) {
      for (let k = 0, at = 0; k < half; k++, at += step) {
        const a = start + k, b = a + half;
        const x = re[b] * cos[at] - im[b] * sin[at], y = re[b] * sin[at] + im[b] * cos[at];
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

const LARGEST = 2 ** 19; // of the padded transform: some tenths of a second

/**
 * Amplitudes of values that lie a step apart: Hann window, mean taken away, scaled so that a sine of amplitude A gives A. The values
 * are followed by zeros, so that a peak between two lines of the spectrum is met too.
 * @param {Float64Array} values @param {number} step @returns {{x: Float64Array, y: Float64Array}} x in cycles a unit of the step
 */
export function amplitudes(values, step) {
  const n = values.length;
  if (n < 4) throw new Error("too few samples");
  let size = 1;
  while (size < 8 * n && size < LARGEST) size *= 2;
  while (size < n) size *= 2;
  const window = Float64Array.from({ length: n }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / n));
  const weight = window.reduce((a, b) => a + b, 0);
  const mean = values.reduce((sum, v, i) => sum + v * window[i], 0) / weight;
  const re = new Float64Array(size), im = new Float64Array(size);
  for (let i = 0; i < n; i++) re[i] = (values[i] - mean) * window[i];
  fft(re, im);
  const half = size / 2;
  return {
    x: Float64Array.from({ length: half }, (_, k) => k / (size * step)),
    y: Float64Array.from({ length: half }, (_, k) => (2 * Math.hypot(re[k], im[k])) / weight),
  };
}

const LOWEST = 0.02; // of the highest peak: lower ones are not named

/**
 * The highest peaks, each with its true place and height by a parabola through the logarithms of three lines.
 * @param {{x: Float64Array, y: Float64Array}} spectrum @param {number} apart least distance of two peaks @param {number} most @returns {{x: number, y: number}[]}
 */
export function peaksOf({ x, y }, apart, most) {
  const top = y.reduce((a, b) => Math.max(a, b), 0);
  /** @type {{x: number, y: number}[]} */
  const all = [];
  for (let k = 1; k + 1 < y.length; k++) {
    if (!(y[k] > y[k - 1] && y[k] >= y[k + 1] && y[k] > LOWEST * top)) continue;
    const [a, b, c] = [Math.log(y[k - 1] + 1e-300), Math.log(y[k]), Math.log(y[k + 1] + 1e-300)];
    const bend = a - 2 * b + c;
    const shift = bend < 0 ? (0.5 * (a - c)) / bend : 0;
    all.push({ x: x[k] + shift * (x[1] - x[0]), y: Math.exp(b - 0.25 * (a - c) * shift) });
  }
  all.sort((p, q) => q.y - p.y);
  /** @type {{x: number, y: number}[]} */
  const kept = [];
  for (const peak of all) {
    if (kept.length >= most) break;
    if (kept.every((other) => Math.abs(other.x - peak.x) >= apart)) kept.push(peak);
  }
  return kept;
}
