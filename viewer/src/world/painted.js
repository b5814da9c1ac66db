// What faces show beside their own colour, as pieces of their shaders: forces of meshes near the teeth in contact, displacements;
// and how shafts bend.
// @ts-check
import { scaleAsShader } from "./colours.js";

/**
 * BEND: how many stations a shaft has: z is along its axis. Between stations the displacement is a cubic with the slopes of the
 * tilts, u(z) = d(z) + θ(z) × r. SHIFTED: faces are coloured by displacement; those that do not bend move with one station.
 * FIELD: corners have moved, and say how far. TINT: how many meshes colour a part.
 */
export const VERTEX_HEAD = /* glsl */ `
  #ifdef BEND
    uniform vec4 bendShift[BEND]; // displacement, place along the axis
    uniform vec3 bendTilt[BEND];
    uniform float magnify;
  #endif
  #ifdef SHIFTED
    uniform vec3 shift;
    uniform vec3 tilt;
    uniform vec3 shiftFrom;
    uniform float shiftLargest;
    varying float vShift;
  #endif
  #ifdef FIELD
    attribute float moved; // how far a corner has moved [m]
  #endif
  #ifdef TINT
    varying vec3 vPlace;
  #endif
  void bend(inout vec3 place, inout vec3 across) {
    #ifdef BEND
      vec3 d = bendShift[0].xyz, t = bendTilt[0];
      for (int k = 0; k < BEND - 1; k++) {
        float a = bendShift[k].w, h = bendShift[k + 1].w - a;
        if (place.z < a && k > 0) break;
        float s = clamp((place.z - a) / h, 0.0, 1.0);
        vec3 t0 = bendTilt[k], t1 = bendTilt[k + 1];
        d = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s) * bendShift[k].xyz + s * (1.0 - s) * (1.0 - s) * h * vec3(t0.y, -t0.x, 0.0)
          + s * s * (3.0 - 2.0 * s) * bendShift[k + 1].xyz + s * s * (s - 1.0) * h * vec3(t1.y, -t1.x, 0.0);
        t = mix(t0, t1, s);
      }
      vec3 by = d + cross(t, vec3(place.xy, 0.0));
      place += magnify * by;
      across += magnify * cross(t, across);
      #ifdef SHIFTED
        vShift = length(by) / shiftLargest;
      #endif
    #else
      #if defined(SHIFTED) && defined(FIELD)
        vShift = moved / shiftLargest;
      #elif defined(SHIFTED)
        vShift = length(shift + cross(tilt, place - shiftFrom)) / shiftLargest;
      #endif
    #endif
  }
`;

export const FRAGMENT_HEAD = /* glsl */ `
  #ifdef SHIFTED
    varying float vShift;
    ${scaleAsShader("shift")}
  #endif
  #ifdef TINT
    uniform vec4 tintAt[TINT]; // in the world; module of the teeth
    uniform vec3 tintUp[TINT]; // along the teeth, from the axis to the point
    uniform vec3 tintSide[TINT]; // across them
    uniform vec4 tintColour[TINT];
    varying vec3 vPlace;
  #endif
  vec3 painted(vec3 base) {
    #ifdef SHIFTED
      base = shiftColour(clamp(vShift, 0.0, 1.0));
    #endif
    #ifdef TINT
      for (int k = 0; k < TINT; k++) {
        vec3 r = vPlace - tintAt[k].xyz;
        // some teeth to either side, from root to tip
        float near = (1.0 - smoothstep(3.5, 6.5, abs(dot(r, tintSide[k])) / tintAt[k].w)) * (1.0 - smoothstep(1.3, 2.2, abs(dot(r, tintUp[k])) / tintAt[k].w));
        base = mix(base, tintColour[k].rgb, tintColour[k].a * near);
      }
    #endif
    return base;
  }
`;

/** A definition of a material: a number, "" or none; the shader is made again where it changes. @param {import("three").ShaderMaterial} material @param {"BEND" | "SHIFTED" | "FIELD" | "TINT"} name @param {number | "" | null} value */
export function define(material, name, value) {
  const now = material.defines[name] ?? null;
  if (now === value) return;
  if (value === null) delete material.defines[name];
  else material.defines[name] = value;
  material.needsUpdate = true;
}

/** Values for the shader of a material. @param {import("three").ShaderMaterial} material @param {Record<string, any>} values */
export function give(material, values) {
  for (const [name, value] of Object.entries(values)) {
    if (material.uniforms[name]) material.uniforms[name].value = value;
    else material.uniforms[name] = { value };
  }
}
