// The scene in three dimensions: renderer, camera, light; drawn only when something changed.
// @ts-check
import { Box3, DirectionalLight, HemisphereLight, LineSegments, Mesh, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Bodies } from "./bodies.js";

/** @typedef {import("../main.js").App} App */

export class World {
  /** @param {HTMLCanvasElement} canvas @param {App} app */
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.software = drawnBySoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.software }); // smooth edges cost a processor four times as much
    this.camera = new PerspectiveCamera(30, 1, 0.001, 100);
    this.camera.up.set(0, 0, 1);
    const light = new DirectionalLight("#ffffff", 2.2);
    light.position.set(0.4, 0.9, 1.2);
    this.camera.add(light);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => app.redraw());
    this.loaded = this.load();
    this.home();
    this.show();
    app.store.on(["record"], () => { this.loaded = this.load(); this.show(); });
    app.store.on(["time"], () => this.show());
    app.store.on(["hidden"], ({ hidden }) => {
      for (const body of this.loaded.bodies.all) body.group.visible = !hidden.has(body.name);
      app.redraw();
    });
    new ResizeObserver(() => app.redraw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.redraw());
  }

  /** The scene of the record that is shown. */
  load() {
    const { block } = this.app;
    const scene = new Scene(), box = new Box3(), bodies = new Bodies(block);
    scene.add(this.camera, new HemisphereLight("#ffffff", "#8a8f98", 1.6), bodies.root);
    // all that is ever reached, so that nothing leaves the view
    const { time } = block, from = time[0] ?? 0, to = time[time.length - 1] ?? 0;
    for (let k = 0; k <= 20; k++) {
      bodies.show(from + (k / 20) * (to - from));
      scene.updateMatrixWorld(true);
      bodies.root.traverse((o) => {
        if (o instanceof LineSegments || (o instanceof Mesh && !o.parent?.children.some((c) => c instanceof LineSegments))) box.expandByObject(o, true);
      });
    }
    const size = (box.isEmpty() ? 0 : box.getSize(new Vector3()).length()) || 1;
    return { scene, box, size, bodies };
  }

  /** The whole motion from above at an angle. */
  home() {
    const { box, size } = this.loaded;
    const centre = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
    this.camera.position.copy(centre).add(new Vector3(0.55, -0.75, 0.8).normalize().multiplyScalar(1.55 * size));
    this.camera.near = 0.01 * size;
    this.camera.far = 20 * size;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
  }

  show() {
    const { time } = this.app.store.state;
    this.loaded.bodies.show(time);
    this.app.redraw();
  }

  draw() {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(h * ratio)) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(w, h, false);
      this.camera.aspect = w / Math.max(h, 1);
      this.camera.updateProjectionMatrix();
    }
    this.renderer.setClearColor(getComputedStyle(this.canvas).backgroundColor);
    this.renderer.render(this.loaded.scene, this.camera);
  }
}

/** Whether there is no graphics processor; an error in words where there is no WebGL 2 at all. */
function drawnBySoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new Error("This browser has no WebGL 2: turn on hardware acceleration, or use another browser.");
  const name = gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
