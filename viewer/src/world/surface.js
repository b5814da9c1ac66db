// How faces and edges look: two small shaders. They are a third of the work of three's standard material, which counts where the
// processor draws, and they know the cutting plane.
// @ts-check
import { AlwaysStencilFunc, BackSide, Color, DoubleSide, EqualStencilFunc, FrontSide, KeepStencilOp, ReplaceStencilOp, ShaderMaterial, Vector4 } from "three";
import { FRAGMENT_HEAD, VERTEX_HEAD } from "./painted.js";

/**
 * The cutting plane, one for all materials of a scene. What lies where x·plane.xyz > plane.w (world, [m]) is not drawn.
 * @typedef {{plane: {value: Vector4}}} Cut
 */

/** @returns {Cut} */
export function noCut() {
  return { plane: { value: new Vector4() } };
}

const VERTEX = /* glsl */ `
  ${VERTEX_HEAD}
  varying vec3 vNormal;
  #ifdef USE_COLOR
    varying vec3 vColor;
  #endif
  #ifdef CUT
    uniform vec4 cutPlane;
    varying float vBeyond;
  #endif
  void main() {
    vec4 place = vec4(position, 1.0);
    vec3 across = normal;
    #ifdef USE_INSTANCING
      place = instanceMatrix * place;
      across = mat3(instanceMatrix) * across;
    #endif
    bend(place.xyz, across);
    #ifdef TINT
      vPlace = (modelMatrix * place).xyz;
    #endif
    vNormal = normalMatrix * across;
    #ifdef USE_COLOR
      vColor = color;
    #endif
    #ifdef CUT
      vBeyond = dot((modelMatrix * place).xyz, cutPlane.xyz) - cutPlane.w;
    #endif
    gl_Position = projectionMatrix * (modelViewMatrix * place);
  }
`;

// Light comes from the camera's side: sky above, a key light from the upper right, a weak one from the left below. The highlight
// takes the line of sight as that of the middle of the picture, which spares a vector and a root a pixel.
const FRAGMENT = /* glsl */ `
  ${FRAGMENT_HEAD}
  uniform vec3 diffuse;
  uniform vec3 emissive;
  uniform float opacity;
  varying vec3 vNormal;
  #ifdef USE_COLOR
    varying vec3 vColor;
  #endif
  #ifdef CUT
    varying float vBeyond;
  #endif
  void main() {
    #ifdef CUT
      if (vBeyond > 0.0) discard;
    #endif
    vec3 base = diffuse;
    #ifdef USE_COLOR
      base *= vColor;
    #endif
    base = painted(base);
    vec3 n = normalize(vNormal);
    #ifdef BOTH
      if (!gl_FrontFacing) n = -n;
    #endif
    float light = 0.43 + 0.17 * n.y + 0.62 * max(dot(n, vec3(0.36, 0.52, 0.775)), 0.0) + 0.10 * max(dot(n, vec3(-0.8, -0.35, 0.49)), 0.0);
    float shine = max(dot(n, vec3(0.191, 0.276, 0.942)), 0.0);
    shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine;
    gl_FragColor = vec4(sqrt(base * light + 0.13 * shine + emissive), opacity);
  }
`;

/** Faces. `color`, `emissive` and `opacity` as three's own materials have them. */
export class Surface extends ShaderMaterial {
  /** @param {Cut} cut @param {{color?: import("three").ColorRepresentation, opacity?: number, bothSides?: boolean}} [options] */
  constructor(cut, { color = "#9a9a9a", opacity = 1, bothSides = false } = {}) {
    super({
      vertexShader: VERTEX, fragmentShader: FRAGMENT,
      uniforms: { diffuse: { value: new Color(color) }, emissive: { value: new Color(0) }, opacity: { value: 1 }, cutPlane: cut.plane },
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, // edges lie on the faces
    });
    this.bothSides = bothSides;
    if (bothSides) this.defines.BOTH = "";
    this.side = bothSides ? DoubleSide : FrontSide;
    this.fade(opacity);
  }

  /** @returns {Color} */
  get color() { return this.uniforms.diffuse.value; }
  /** @returns {Color} */
  get emissive() { return this.uniforms.emissive.value; }

  /** See-through from 0 to 1: what is seen through hides nothing. @param {number} opacity */
  fade(opacity) {
    this.opacity = opacity;
    this.uniforms.opacity.value = opacity;
    this.transparent = opacity < 1;
    this.depthWrite = opacity >= 1;
  }

  /** Whether the cutting plane works on it. @param {boolean} on */
  setCut(on) {
    if (on === "CUT" in this.defines) return;
    if (on) this.defines.CUT = "";
    else delete this.defines.CUT;
    Object.assign(this, { stencilWrite: on, stencilRef: 0, stencilFunc: AlwaysStencilFunc, stencilZPass: ReplaceStencilOp });
    this.needsUpdate = true;
  }
}

/**
 * The section of a solid: where its inside is seen behind the cutting plane, flat and hatched. Pixels that show it are marked, so that
 * no edges of the far side are drawn on it.
 */
export class Section extends ShaderMaterial {
  /** @param {Surface} surface whose colours and shape it has */
  constructor(surface) {
    super({
      vertexShader: VERTEX,
      fragmentShader: /* glsl */ `
        uniform vec3 diffuse;
        uniform vec3 emissive;
        uniform float opacity;
        varying float vBeyond;
        void main() {
          if (vBeyond > 0.0) discard;
          float stripe = smoothstep(0.72, 0.86, abs(fract((gl_FragCoord.x + gl_FragCoord.y) * 0.0714) * 2.0 - 1.0));
          gl_FragColor = vec4(sqrt(mix(diffuse * 0.66 + 0.2, diffuse * 0.3, stripe * 0.6) + emissive), opacity);
        }`,
      defines: { CUT: "" },
      polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2, // behind the faces that it meets at outlines
      side: BackSide, stencilWrite: true, stencilRef: 1, stencilFunc: AlwaysStencilFunc, stencilZPass: ReplaceStencilOp,
    });
    this.uniforms = surface.uniforms;
    this.follow(surface);
  }

  /** Bend as the surface does, be seen through as it is. @param {Surface} surface */
  follow(surface) {
    if (this.defines.BEND !== surface.defines.BEND) {
      if (surface.defines.BEND === undefined) delete this.defines.BEND;
      else this.defines.BEND = surface.defines.BEND;
      this.needsUpdate = true;
    }
    this.transparent = surface.transparent;
    this.depthWrite = surface.depthWrite;
  }
}

/** Edges of faces as lines. */
export class Edges extends ShaderMaterial {
  /** @param {Cut} cut @param {import("three").ColorRepresentation} color */
  constructor(cut, color = "#1d2329") {
    super({
      vertexShader: /* glsl */ `
        ${VERTEX_HEAD}
        #ifdef CUT
          uniform vec4 cutPlane;
          varying float vBeyond;
        #endif
        void main() {
          vec3 place = position, across = vec3(0.0);
          bend(place, across);
          #ifdef CUT
            vBeyond = dot((modelMatrix * vec4(place, 1.0)).xyz, cutPlane.xyz) - cutPlane.w;
          #endif
          gl_Position = projectionMatrix * (modelViewMatrix * vec4(place, 1.0));
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 diffuse;
        uniform float opacity;
        #ifdef CUT
          varying float vBeyond;
        #endif
        void main() {
          #ifdef CUT
            if (vBeyond > 0.0) discard;
          #endif
          gl_FragColor = vec4(sqrt(diffuse), opacity);
        }`,
      uniforms: { diffuse: { value: new Color(color) }, opacity: { value: 0.5 }, cutPlane: cut.plane },
      transparent: true, depthWrite: false,
    });
  }

  /** @returns {Color} */
  get color() { return this.uniforms.diffuse.value; }

  /** @param {boolean} on */
  setCut(on) {
    if (on === "CUT" in this.defines) return;
    if (on) this.defines.CUT = "";
    else delete this.defines.CUT;
    Object.assign(this, { stencilWrite: on, stencilRef: 0, stencilFunc: EqualStencilFunc, stencilZPass: KeepStencilOp });
    this.needsUpdate = true;
  }
}
