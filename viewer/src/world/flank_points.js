// Points of involute flanks: P(L, ζ) = e^{iτ} (r + i c L), τ = c (η − L/r) + κ ζ, with the roll length L, the base radius r, c = +1 on left
// flanks and −1 on right ones.
// @ts-check

/** @typedef {{radius: number, angle: number, twist: number, curl: number}} Flank r [m], η [rad], κ [rad/m], c */

/** A point of a tooth in the axes of its gear. @param {Flank} flank @param {number} turn of the tooth [rad] @param {number} L @param {number} zeta @param {Float32Array} out @param {number} at */
export function flankPoint(flank, turn, L, zeta, out, at) {
  const { radius, angle, twist, curl } = flank;
  const tau = curl * (angle - L / radius) + twist * zeta + turn;
  const c = Math.cos(tau), s = Math.sin(tau);
  out[at] = radius * c - curl * L * s;
  out[at + 1] = radius * s + curl * L * c;
  out[at + 2] = zeta;
}

/** Roll length so far along the profile from another one [m]: along it L²/2r is measured. @param {Flank} flank @param {number} L @param {number} way */
export function alongProfile(flank, L, way) {
  return Math.sqrt(Math.max(L * L + 2 * flank.radius * way, 0));
}
