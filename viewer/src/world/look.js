// What the view shows beside the bodies, and how: part of the page's state.
// @ts-check

/** by: the plane's normal, or "axis" for a plane through the axis of the selected part; place: 0 to 1 through the scene. @typedef {{on: boolean, by: "x" | "y" | "z" | "axis", place: number, flip: boolean}} CutLook */

/**
 * @typedef {object} Look
 * @property {boolean} edges
 * @property {boolean} floor
 * @property {boolean | null} joints null: shown where they are few.
 * @property {"none" | "selected" | "all"} frames Axes of bodies.
 * @property {boolean} names
 * @property {boolean} parallel
 * @property {string} follow Name of the body that the view goes with; "" for none.
 * @property {boolean} turning Whether the view turns with it.
 * @property {CutLook} cut
 */

/** @type {Readonly<Look>} */
export const LOOK = {
  edges: true, floor: false, joints: null, frames: "none", names: false, parallel: false, follow: "", turning: false,
  cut: { on: false, by: "x", place: 0.5, flip: false },
};

/** More joints than this bury the picture: their symbols are then off unless they are asked for. */
const MANY = 20;

/** @param {Look} look @param {import("../data.js").Head} head */
export function jointsShown(look, head) {
  return look.joints ?? head.joints.length <= MANY;
}

/** Change some of it. @param {import("../main.js").App} app @param {Partial<Look>} changes */
export function change(app, changes) {
  app.store.set({ look: { ...app.store.state.look, ...changes } });
}
