// Curves on the canvas of a chart. Where many samples fall on one column of the screen, their smallest and largest are drawn.
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
  if (!line.free && to - from > 3 * width) return columns(ctx, line, from, to, px, py);
  if (line.low !== line.high) return band(ctx, line, from, to, px, py);
  trace(ctx, line.x, line.low, from, to, px, py, ratio);
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

/** Smallest to largest of what falls on each column. @param {CanvasRenderingContext2D} ctx @param {Line} line @param {number} from @param {number} to @param {(x: number) => number} px @param {(v: number) => number} py */
function columns(ctx, line, from, to, px, py) {
  const { x, low, high } = line;
  ctx.setLineDash([]);
  ctx.beginPath();
  for (let i = from, joined = false; i < to;) {
    const column = Math.floor(px(x[i]));
    const first = low[i];
    let least = Infinity, most = -Infinity, last = NaN;
    for (; i < to && Math.floor(px(x[i])) === column; i++) {
      if (low[i] < least) least = low[i];
      if (high[i] > most) most = high[i];
      last = high[i];
    }
    if (!(least <= most)) { joined = false; continue; }
    const a = column + 0.5;
    if (joined && !Number.isNaN(first)) ctx.lineTo(a, py(first));
    ctx.moveTo(a, py(least));
    ctx.lineTo(a, py(most) - 0.5);
    joined = !Number.isNaN(last);
    if (joined) ctx.moveTo(a, py(last));
  }
  ctx.stroke();
}

/** The band between smallest and largest, filled, with its edges. @param {CanvasRenderingContext2D} ctx @param {Line} line @param {number} from @param {number} to @param {(x: number) => number} px @param {(v: number) => number} py */
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
