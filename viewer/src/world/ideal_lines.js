// Lines of contact of ideal involute gears on parallel axes, wherever their wheels stand (src/pitchline/parts/contact/scene.py).
// @ts-check
import { Matrix4, Vector3 } from "three";

/** Of both gears: base radii, roll lengths between which their flanks lie, half faces [m]; of the first: η and κ; as built: distance of the axes, and of the faces along them [m]. */
/** @typedef {{module: number, base_angle: number, twist: number, base_radii: [number, number], limits: [[number, number], [number, number]], half_faces: [number, number], distance: number, offset: number}} Ideal */
/** @typedef {{pair: string, wheel: string, body: string, other: string, position: number[], rotation: number[][], centre: number[], teeth: number, internal: boolean, ideal?: Ideal, contact?: string, normal_force?: string, pair_forces?: string}} LinesSaid */
/** @typedef {{tooth: number, from: number, to: number, L0: number, slope: number, length: number}} Line L = L0 + slope ζ from one ζ to another; its length [m] */

/** How gear B stands in the axes of gear A: distance of the axes, angle of A from the pitch point, and where the face of B is. */
/** @param {LinesSaid} said @param {Matrix4} inA from the axes of the world to those of gear A @param {Vector3} centre of B in the world */
export function standing(said, inA, centre) {
  const p = centre.clone().applyMatrix4(inA);
  const away = said.internal ? -1 : 1; // a ring touches on the far side
  return { distance: Math.hypot(p.x, p.y), angle: -Math.atan2(away * p.y, away * p.x), offset: p.z };
}

/** All lines on left (side 1) or right (side -1) flanks. @param {Ideal} said @param {boolean} internal @param {{distance: number, angle: number, offset: number}} stands @param {number} side @param {number} teeth @returns {Line[]} */
export function idealLines(said, internal, stands, side, teeth) {
  const [radius, other] = said.base_radii;
  const cosine = (internal ? other - radius : other + radius) / stands.distance;
  if (!(cosine > 0 && cosine < 1)) return [];
  const working = Math.acos(cosine), reach = stands.distance * Math.sin(working);
  const pitch = (2 * Math.PI) / teeth;
  const [own, its] = said.limits;
  const low = Math.max(own[0], internal ? its[0] - reach : reach - its[1]);
  const high = Math.min(own[1], internal ? its[1] - reach : reach - its[0]);
  const z0 = Math.max(-said.half_faces[0], stands.offset - said.half_faces[1]), z1 = Math.min(said.half_faces[0], stands.offset + said.half_faces[1]);
  const slope = radius * side * said.twist;
  if (high <= low || z1 <= z0) return [];
  const found = [];
  const at = (/** @type {number} */ k) => radius * (said.base_angle + working + side * (pitch * k + stands.angle));
  // those teeth whose line reaches the range of L somewhere along the face
  const spread = Math.abs(slope) * Math.max(Math.abs(z0), Math.abs(z1));
  const first = (low - spread) / radius - said.base_angle - working, last = (high + spread) / radius - said.base_angle - working;
  const ks = [first, last].map((x) => (side * x - stands.angle) / pitch);
  for (let k = Math.ceil(Math.min(...ks)); k <= Math.floor(Math.max(...ks)); k++) {
    const L0 = at(k);
    let from = z0, to = z1;
    if (Math.abs(slope) > 1e-9) {
      const ends = [(low - L0) / slope, (high - L0) / slope].sort((x, y) => x - y);
      from = Math.max(from, ends[0]);
      to = Math.min(to, ends[1]);
    } else if (L0 < low || L0 > high) continue;
    if (to > from) found.push({ tooth: k, from, to, L0, slope, length: (to - from) * Math.hypot(1, radius * said.twist) });
  }
  return found;
}
