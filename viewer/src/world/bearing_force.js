// The force by which flanks press on each other, from the signals of a gear pair.
// @ts-check

/**
 * Of teeth without play the signal of the normal force is negative where the coast flanks bear; of others it is positive on either
 * flank, and negative only where damping would pull: there is no pressure then.
 * @param {number} force [N] @param {number} contact 1 on the drive flank, -1 on the coast flank, 0 in the backlash
 */
export function bearingForce(force, contact) {
  return contact < 0 ? Math.abs(force) : Math.max(force, 0);
}

/** The largest one of a run [N]. @param {Float32Array} force @param {Float32Array | null} contact */
export function largestForce(force, contact) {
  let largest = 0;
  for (let i = 0; i < force.length; i++) {
    const now = bearingForce(force[i], contact ? contact[i] : 1);
    if (now > largest) largest = now;
  }
  return largest;
}
