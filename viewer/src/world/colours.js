// Scales of colour, and the bars that explain them.
// @ts-check
import { h } from "../dom.js";
import { digits, scaledUnit } from "./numbers.js";

/** Colours from low to high, evenly apart, 0 to 255. Forces and pressures: pale yellow to dark red. Displacements: dark blue to yellow. */
const SCALES = {
  heat: [[255, 246, 178], [254, 217, 118], [254, 178, 76], [253, 141, 60], [244, 77, 40], [206, 16, 34], [122, 0, 36]],
  shift: [[59, 28, 110], [52, 76, 140], [36, 120, 142], [33, 158, 134], [84, 194, 104], [170, 215, 60], [250, 230, 50]],
};
/** @typedef {keyof typeof SCALES} ScaleName */

/** Colour, each part 0 to 1, of a value 0 to 1. @param {ScaleName} scale @param {number} x @param {number[]} out @param {number} [at] */
export function colourOf(scale, x, out, at = 0) {
  const stops = SCALES[scale];
  const place = Math.min(1, Math.max(0, x)) * (stops.length - 1);
  const i = Math.min(Math.floor(place), stops.length - 2), f = place - i;
  for (let k = 0; k < 3; k++) out[at + k] = (stops[i][k] + (stops[i + 1][k] - stops[i][k]) * f) / 255;
}

/** The same for corners of surfaces, whose colours are linear in light. @param {ScaleName} scale @param {number} x @param {number[]} out */
export function lightOf(scale, x, out) {
  colourOf(scale, x, out);
  for (let k = 0; k < 3; k++) out[k] = out[k] <= 0.04045 ? out[k] / 12.92 : ((out[k] + 0.055) / 1.055) ** 2.4;
}

/** The scale as a function of a shader, `<scale>Colour(x)`; linear in light. @param {ScaleName} scale */
export function scaleAsShader(scale) {
  const stops = SCALES[scale], colour = [0, 0, 0];
  const texts = stops.map((_, k) => {
    lightOf(scale, k / (stops.length - 1), colour);
    return `vec3(${colour.map((x) => x.toFixed(4)).join(", ")})`;
  });
  const steps = texts.slice(1).map((text, k) => `c = mix(c, ${text}, clamp(x - ${k}.0, 0.0, 1.0));`);
  return `vec3 ${scale}Colour(float part) { float x = part * ${stops.length - 1}.0; vec3 c = ${texts[0]}; ${steps.join(" ")} return c; }`;
}

/** The scale as a row of pixels for a texture or a picture, RGBA. @param {ScaleName} scale @param {number} count */
export function row(scale, count) {
  const data = new Uint8ClampedArray(4 * count), colour = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    colourOf(scale, i / (count - 1), colour);
    data.set([255 * colour[0], 255 * colour[1], 255 * colour[2], 255], 4 * i);
  }
  return data;
}

/**
 * A bar from zero to the largest value, with its quantity and unit.
 * @param {ScaleName} scale @param {number} largest @param {string} unit @param {string} label @param {{cut?: boolean, title?: string}} [more] cut: some values are larger
 */
export function colourBar(scale, largest, unit, label, more = {}) {
  const scaled = scaledUnit(largest, unit);
  const canvas = h("canvas", { width: 128, height: 1, className: "colours" });
  canvas.getContext("2d")?.putImageData(new ImageData(row(scale, 128), 128, 1), 0, 0);
  const top = digits(largest * scaled.factor);
  return h("figure", { className: "colour-bar", title: more.title ?? "", "data-largest": String(largest) },
    h("figcaption", {}, `${label} (${scaled.unit})`), canvas,
    h("div", { className: "ends" }, h("span", {}, "0"), h("span", {}, digits(0.5 * largest * scaled.factor)), h("span", {}, more.cut ? `≥ ${top}` : top)));
}
