// Curves on the canvas of a chart. Where many samples fall on one column of the screen, those are drawn that are seen.
// @ts-check

/**
 * One line. low and high are the same array where no sample was left out; else the band between them is filled.
 * @typedef {object} Line
 * @property {ArrayLike<number>} x
 * @property {ArrayLike<number>} low
 * @property {ArrayLike<number>} high
 * @property {number} factor by which values are multiplied
 * @property {string} colour
 * @property {number[]} dash
 * @property {boolean} [free] x does not grow: the line is drawn as it comes
 */
/** Where values lie on the canvas. @typedef {{left: number, top: number, width: number, height: number, x: [number, number], y: [number, number], log: boolean}} Field */

/** Indices of the samples in a range of growing x, with one more on either side. @param {ArrayLike<number>} x @param {number} from @param {number} to @returns {[number, number]} */
export function inside(x, from, to) {
  return [Math.max(firstAbove(x, from, false) - 1, 0), Math.min(firstAbove(x, to, true) + 1, x.length)];
}

/** @param {ArrayLike<number>} x @param {number} limit @param {boolean} strictly */
function firstAbove(x, limit, strictly) {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (strictly ? x[middle] > limit : x[middle] >= limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** @param {CanvasRenderingContext2D} ctx @param {Line} line @param {Field} field @param {number} ratio pixels of the canvas a pixel of the page */
export function paint(ctx, line, field, ratio) {
  const { left, width, x: [x0, x1], y: [y0, y1], log } = field;
  const bottom = field.top + field.height;
  const sx = width / (x1 - x0), sy = field.height / (log ? Math.log10(y1 / y0) : y1 - y0);
  const px = (/** @type {number} */ x) => left + (x - x0) * sx;
  const py = (/** @type {number} */ v) => {
    const shown = v * line.factor;
    const y = log ? (shown > 0 ? bottom - Math.log10(shown / y0) * sy : NaN) : bottom - (shown - y0) * sy;
    return Math.min(Math.max(y, -1e5), 1e5);
  };
  ctx.strokeStyle = ctx.fillStyle = line.colour;
  ctx.lineWidth = 1.5 * ratio;
  ctx.lineJoin = "round";
  ctx.setLineDash(line.dash.map((d) => d * ratio));
  const [from, to] = line.free ? [0, line.x.length] : inside(line.x, x0, x1);
  const dense = !line.free && to - from > 4 * width;
  if (line.low !== line.high) {
    const few = dense ? joined(line, from, to, px) : line;
    return dense ? band(ctx, few, 0, few.x.length, px, py) : band(ctx, few, from, to, px, py);
  }
  if (!dense) return trace(ctx, line.x, line.low, from, to, px, py, ratio);
  const kept = seen(line, from, to, px);
  return trace(ctx, kept.map((k) => line.x[k]), kept.map((k) => line.low[k]), 0, kept.length, px, py, ratio);
}

/** A line through samples; a sample alone between gaps is a dot. @param {CanvasRenderingContext2D} ctx @param {ArrayLike<number>} x @param {ArrayLike<number>} v @param {number} from @param {number} to @param {(x: number) => number} px @param {(v: number) => number} py @param {number} ratio */
function trace(ctx, x, v, from, to, px, py, ratio) {
  /** @type {[number, number][]} */
  const dots = [];
  ctx.beginPath();
  for (let i = from, run = 0; i < to; i++) {
    const a = px(x[i]), b = py(v[i]);
    if (Number.isNaN(a) || Number.isNaN(b)) { run = 0; continue; }
    if (run) ctx.lineTo(a, b);
    else ctx.moveTo(a, b);
    run += 1;
    if (run === 1 && (i + 1 === to || Number.isNaN(py(v[i + 1])) || Number.isNaN(px(x[i + 1])))) dots.push([a, b]);
  }
  ctx.stroke();
  for (const [a, b] of dots) {
    ctx.beginPath();
    ctx.arc(a, b, 3 * ratio, 0, 2 * Math.PI);
    ctx.fill();
  }
}

/** Of samples that fall on one column of the canvas, those that are seen: the first, the smallest, the largest and the last. @param {Line} line @param {number} from @param {number} to @param {(x: number) => number} px */
function seen({ x, low, high }, from, to, px) {
  /** @type {number[]} */
  const kept = [];
  for (let i = from; i < to;) {
    const column = Math.floor(px(x[i]));
    let least = i, most = i, gap = -1;
    const first = i;
    for (; i < to && Math.floor(px(x[i])) === column; i++) {
      if (low[i] < low[least] || Number.isNaN(low[least])) least = i;
      if (high[i] > high[most] || Number.isNaN(high[most])) most = i;
      if (Number.isNaN(low[i])) gap = i;
    }
    for (const k of [...new Set([first, least, most, gap, i - 1])].sort((a, b) => a - b)) if (k >= 0) kept.push(k);
  }
  return kept;
}

/** Smallest and largest of bands that fall on one column. @param {Line} line @param {number} from @param {number} to @param {(x: number) => number} px */
function joined({ x, low, high }, from, to, px) {
  /** @type {{x: number[], low: number[], high: number[]}} */
  const out = { x: [], low: [], high: [] };
  for (let i = from; i < to;) {
    const column = Math.floor(px(x[i])), start = i;
    let least = Infinity, most = -Infinity;
    for (; i < to && Math.floor(px(x[i])) === column; i++) {
      if (low[i] < least) least = low[i];
      if (high[i] > most) most = high[i];
    }
    out.x.push(0.5 * (x[start] + x[i - 1]));
    out.low.push(least <= most ? least : NaN);
    out.high.push(least <= most ? most : NaN);
  }
  return out;
}

/** The band between smallest and largest, filled, with its edges. @param {CanvasRenderingContext2D} ctx @param {{x: ArrayLike<number>, low: ArrayLike<number>, high: ArrayLike<number>}} line @param {number} from @param {number} to @param {(x: number) => number} px @param {(v: number) => number} py */
function band(ctx, line, from, to, px, py) {
  const { x, low, high } = line;
  for (let start = from; start < to;) {
    let end = start;
    while (end < to && !Number.isNaN(py(low[end])) && !Number.isNaN(py(high[end]))) end++;
    if (end > start) {
      ctx.beginPath();
      for (let i = start; i < end; i++) ctx.lineTo(px(x[i]), py(high[i]));
      for (let i = end - 1; i >= start; i--) ctx.lineTo(px(x[i]), py(low[i]));
      ctx.closePath();
      ctx.globalAlpha = 0.3;
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.lineWidth /= 1.15;
      ctx.stroke();
      ctx.lineWidth *= 1.15;
    }
    start = end + 1;
  }
}

/** Smallest and largest value of lines between two x, in shown units; null where there is none. @param {Line[]} lines @param {number} from @param {number} to @param {boolean} log @returns {[number, number] | null} */
export function valueRange(lines, from, to, log) {
  let least = Infinity, most = -Infinity;
  for (const { x, low, high, factor, free } of lines) {
    const [a, b] = free ? [0, x.length] : inside(x, from, to);
    for (let i = a; i < b; i++) {
      const l = low[i] * factor, h = high[i] * factor;
      if (log ? l > 0 : Number.isFinite(l)) least = Math.min(least, l);
      if (log ? h > 0 : Number.isFinite(h)) most = Math.max(most, h);
    }
  }
  return least <= most ? [least, most] : null;
}
