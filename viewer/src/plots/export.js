// Curves as a table, pictures as PNG.
// @ts-check
import { h } from "../dom.js";

/** @typedef {import("./rows.js").Figure} Figure */

/** Hand a file to the browser to keep. @param {Blob} blob @param {string} name */
export function keep(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name.replace(/[^\p{L}\p{N}._-]+/gu, "_") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A cell of text. A sign that a spreadsheet would compute from is kept away from the beginning. @param {string} text */
const cell = (text) => `"${(/^[=+\-@\t]/.test(text) ? " " : "") + text.replaceAll('"', '""')}"`;

/**
 * What the charts show, as columns in the units of the file: x and values of each curve; curves over the same x share it.
 * @param {Figure} figure @param {string} x name and unit of the horizontal axis
 */
export function table(figure, x) {
  /** @type {{x: ArrayLike<number>, from: number, columns: {title: string, values: ArrayLike<number>}[], to: number}[]} */
  const groups = [];
  for (const { curves, lines, unit } of figure.rows) {
    lines.forEach((line, k) => {
      let from = 0, to = line.x.length;
      if (!line.free) {
        while (from < to && line.x[from] < figure.x[0]) from += 1;
        while (to > from && line.x[to - 1] > figure.x[1]) to -= 1;
      }
      let group = groups.find((g) => g.x === line.x);
      if (!group) groups.push((group = { x: line.x, from, to, columns: [] }));
      const title = `${curves[k].label} (${unit || "1"})`;
      if (line.low === line.high) group.columns.push({ title, values: line.low });
      else group.columns.push({ title: `smallest ${title}`, values: line.low }, { title: `largest ${title}`, values: line.high });
    });
  }
  const out = [groups.flatMap((g) => [cell(x), ...g.columns.map((c) => cell(c.title))]).join(",")];
  const longest = Math.max(0, ...groups.map((g) => g.to - g.from));
  const number = (/** @type {number} */ v, /** @type {number} */ figures) => (Number.isFinite(v) ? String(Number(v.toPrecision(figures))) : "");
  for (let i = 0; i < longest; i++) {
    out.push(groups.flatMap((g) => (g.from + i < g.to ? [number(g.x[g.from + i] / figure.xScale, 12), ...g.columns.map((c) => number(c.values[g.from + i], 8))] : Array(g.columns.length + 1).fill(""))).join(","));
  }
  return out.join("\r\n") + "\r\n";
}

/** The charts one below the other, each with its curves named. @param {HTMLElement} charts @param {Figure} figure @param {string} back @param {string} ink @returns {HTMLCanvasElement} */
export function picture(charts, figure, back, ink) {
  const canvases = [...charts.querySelectorAll("canvas")], ratio = devicePixelRatio;
  const line = 16 * ratio;
  const width = Math.max(...canvases.map((c) => c.width));
  const named = figure.rows.reduce((n, row) => n + row.curves.length, 0);
  const out = h("canvas", { width, height: canvases.reduce((sum, c) => sum + c.height, 0) + named * line + 8 * ratio });
  const ctx = /** @type {CanvasRenderingContext2D} */ (out.getContext("2d"));
  ctx.fillStyle = back;
  ctx.fillRect(0, 0, out.width, out.height);
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  let y = 4 * ratio;
  canvases.forEach((canvas, k) => {
    for (const { label, colour, dash } of figure.rows[k].curves) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = 2 * ratio;
      ctx.setLineDash(dash.map((d) => d * ratio));
      ctx.beginPath();
      ctx.moveTo(60 * ratio, y + line / 2);
      ctx.lineTo(84 * ratio, y + line / 2);
      ctx.stroke();
      ctx.fillStyle = ink;
      ctx.fillText(label, 90 * ratio, y + line / 2);
      y += line;
    }
    ctx.drawImage(canvas, 0, y);
    y += canvas.height;
  });
  return out;
}

/** @param {HTMLCanvasElement} canvas @param {string} name */
export function keepPicture(canvas, name) {
  canvas.toBlob((blob) => { if (blob) keep(blob, name); }, "image/png");
}
