// What lies behind the scene: a gradient of two colours of the style sheet. A gradient of the style sheet itself would do, but
// browsers add noise to it, and the same state could not be told by the same picture.
// @ts-check
import { Color, Mesh, PlaneGeometry, ShaderMaterial } from "three";

export class Backdrop extends Mesh {
  constructor() {
    super(new PlaneGeometry(2, 2), new ShaderMaterial({
      vertexShader: "varying float high; void main() { high = uv.y; gl_Position = vec4(position.xy, 1.0, 1.0); }",
      fragmentShader: "uniform vec3 above; uniform vec3 below; varying float high; void main() { gl_FragColor = vec4(mix(below, above, high), 1.0); }",
      uniforms: { above: { value: new Color() }, below: { value: new Color() } }, depthWrite: false,
    }));
    this.frustumCulled = false;
    this.renderOrder = 1000; // after all that hides it
  }

  /** Take the colours that the page has now: text colour above, background below. @param {HTMLCanvasElement} canvas */
  take(canvas) {
    const { color, backgroundColor } = getComputedStyle(canvas), { uniforms } = /** @type {ShaderMaterial} */ (this.material);
    uniforms.above.value.copy(plain(color));
    uniforms.below.value.copy(plain(backgroundColor));
  }
}

/** A colour as the screen shows it, not as light. @param {string} text rgb(…) */
function plain(text) {
  const [r = 255, g = 255, b = 255] = text.match(/[\d.]+/g)?.map(Number) ?? [];
  return new Color().setRGB(r / 255, g / 255, b / 255, "srgb-linear");
}
