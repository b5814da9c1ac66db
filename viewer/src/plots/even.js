// Samples at equal steps, of time or of any other quantity that grows.
// @ts-check

/** Whether all steps are the same, to a thousandth. @param {ArrayLike<number>} x @param {number} from index @param {number} to index behind the last */
export function isEven(x, from, to) {
  const step = (x[to - 1] - x[from]) / (to - 1 - from);
  for (let i = from; i + 1 < to; i++) if (Math.abs(x[i + 1] - x[i] - step) > 1e-3 * step) return false;
  return true;
}

/**
 * Values at n equal steps from the first x to the last, by cubics through four neighbours: straight lines would take several
 * per cent from waves of ten samples.
 * @param {ArrayLike<number>} x not falling @param {ArrayLike<number>} y @param {number} from index @param {number} to index behind the last @param {number} n
 */
export function evenly(x, y, from, to, n) {
  const out = new Float64Array(n);
  const first = x[from], step = (x[to - 1] - first) / (n - 1);
  for (let k = 0, i = from; k < n; k++) {
    const at = first + k * step;
    while (i + 2 < to && x[i + 1] <= at) i++;
    out[k] = cubic(x, y, Math.max(from, i - 1), Math.min(to, i + 3), i, at);
  }
  return out;
}

/** Lagrange through the points a … b-1; a straight line where two of them are at the same place. @param {ArrayLike<number>} x @param {ArrayLike<number>} y @param {number} a @param {number} b @param {number} i @param {number} at */
function cubic(x, y, a, b, i, at) {
  let sum = 0;
  for (let j = a; j < b; j++) {
    let weight = 1;
    for (let k = a; k < b; k++) if (k !== j) weight *= (at - x[k]) / (x[j] - x[k]);
    sum += weight * y[j];
  }
  if (Number.isFinite(sum)) return sum;
  const length = x[i + 1] - x[i];
  return length > 0 ? y[i] + ((at - x[i]) / length) * (y[i + 1] - y[i]) : y[i];
}

/** The longest run of samples between two x without a gap, as indices [from, to). @param {ArrayLike<number>} x @param {ArrayLike<number>} y @param {number} low @param {number} high */
export function wholeRun(x, y, low, high) {
  let best = { from: 0, to: 0 }, inside = 0, gaps = false;
  const slack = 1e-9 * (high - low);
  for (let i = 0, start = 0; i <= x.length; i++) {
    const within = i < x.length && x[i] >= low - slack && x[i] <= high + slack;
    if (within) inside += 1;
    if (within && Number.isFinite(y[i])) continue;
    if (within) gaps = true;
    if (i - start > best.to - best.from) best = { from: start, to: i };
    start = i + 1;
  }
  return { ...best, gaps, inside };
}
