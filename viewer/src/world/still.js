// Smooth edges without multisampling: where the processor draws, a picture at rest is drawn several times, shifted by parts of a
// pixel, and the mean is shown. The same state gives the same picture to the bit.
// @ts-check
import { AddEquation, CustomBlending, FramebufferTexture, HalfFloatType, Mesh, NoBlending, OneFactor, OrthographicCamera, PlaneGeometry, ShaderMaterial, WebGLRenderTarget } from "three";

const WAIT = 160; // [ms] of rest before it begins
/** Places within a pixel: each row and each column once. */
const PLACES = [[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]].map(([x, y]) => [x / 16, y / 16]);

export class Still {
  /** @param {import("./world.js").World} world */
  constructor(world) {
    this.world = world;
    this.on = world.software && !!world.renderer?.getContext().getExtension("EXT_color_buffer_float");
    this.timer = 0;
    this.pass = -1;
    const material = new ShaderMaterial({
      vertexShader: "varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }",
      fragmentShader: "uniform sampler2D picture; uniform float share; varying vec2 at; void main() { gl_FragColor = texture2D(picture, at) * share; }",
      uniforms: { picture: { value: null }, share: { value: 1 } }, depthTest: false, depthWrite: false, transparent: true,
      blending: CustomBlending, blendEquation: AddEquation, blendSrc: OneFactor, blendDst: OneFactor,
    });
    this.quad = new Mesh(new PlaneGeometry(2, 2), material);
    this.quad.frustumCulled = false;
    this.flat = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
    /** @type {FramebufferTexture | null} */
    this.one = null;
    /** @type {WebGLRenderTarget | null} */
    this.sum = null;
  }

  /** A new picture was drawn: begin again when it rests. */
  begin() {
    clearTimeout(this.timer);
    this.pass = -1;
    const { dataset } = document.documentElement;
    if (!this.on || this.world.moving) {
      if (this.world.moving) delete dataset.still;
      else dataset.still = "yes";
      return;
    }
    delete dataset.still;
    this.timer = setTimeout(() => {
      this.pass = 0;
      requestAnimationFrame(() => this.step());
    }, WAIT);
  }

  /** Whether pictures at rest are made smooth; for tests, which need not wait for it. @param {boolean} on */
  set(on) {
    this.on = on;
    this.world.app.redraw();
  }

  step() {
    const { world } = this, { renderer, canvas } = world;
    if (this.pass < 0 || !renderer || world.moving || document.hidden) return;
    const { width, height } = canvas, uniforms = this.quad.material.uniforms;
    if (this.sum?.width !== width || this.sum.height !== height) {
      this.dispose();
      this.one = new FramebufferTexture(width, height);
      this.sum = new WebGLRenderTarget(width, height, { type: HalfFloatType, depthBuffer: false });
    }
    const one = /** @type {FramebufferTexture} */ (this.one), sum = /** @type {WebGLRenderTarget} */ (this.sum);
    const [x, y] = PLACES[this.pass];
    world.render({ x, y, width, height });
    renderer.copyFramebufferToTexture(one);
    renderer.autoClear = false;
    uniforms.picture.value = one;
    uniforms.share.value = 1 / PLACES.length;
    this.quad.material.blending = CustomBlending;
    renderer.setRenderTarget(sum);
    if (this.pass === 0) {
      renderer.setClearColor(0, 0);
      renderer.clear();
    }
    renderer.render(this.quad, this.flat);
    renderer.setRenderTarget(null);
    uniforms.picture.value = sum.texture;
    uniforms.share.value = PLACES.length / (this.pass + 1);
    this.quad.material.blending = NoBlending;
    renderer.render(this.quad, this.flat);
    renderer.autoClear = true;
    this.pass += 1;
    if (this.pass < PLACES.length) requestAnimationFrame(() => this.step());
    else {
      this.pass = -1;
      document.documentElement.dataset.still = "yes";
    }
  }

  dispose() {
    this.one?.dispose();
    this.sum?.dispose();
  }
}
