// What is shown of forces, contact and deformation on top of the bodies. It follows the state of the page; just before a frame is
// drawn it is placed for the camera of that frame.
// @ts-check
import { Matrix4 } from "three";
import { Arrows, GROUPS, MANY } from "./arrows.js";
import { Contact } from "./contact.js";
import { Deformed } from "./deformed.js";
import { MeshColour } from "./mesh_colour.js";

/** @typedef {import("../main.js").App} App */

/**
 * @typedef {object} EffectState
 * @property {ReadonlySet<string> | null} groups Groups of arrows that are shown; null: those that are not too many.
 * @property {number} arrowScale Of the lengths of arrows.
 * @property {boolean} reactions Whether the opposite of each arrow is drawn too.
 * @property {number | null} load Which load of an analysis of contact is shown, where no result says it; null: the largest.
 * @property {boolean | null} contact Whether contact is drawn on the flanks; null: where its pressures are known, or the teeth are `Loaded` or `Flank`.
 * @property {number} magnification Of displacements; 1: true.
 * @property {boolean} axial Whether displacements along the axes of shafts are magnified and coloured too.
 * @property {"own" | "force" | "displacement"} colour What bodies are coloured by.
 */

/** @type {EffectState} */
export const NO_EFFECTS = { groups: null, arrowScale: 1, reactions: false, contact: null, load: null, magnification: 1, axial: false, colour: "own" };

export class Effects {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {(() => void)[]} */
    this.listeners = [];
    this.layers = this.attach();
    this.use();
    app.store.on(["record"], () => {
      this.layers = this.attach();
      this.use();
      app.world.show();
      this.tell();
    });
    app.store.on(["effects"], () => {
      this.use();
      if (this.layers.deformed.structures.length) app.world.show();
      this.tell();
      app.redraw();
    });
  }

  get arrows() {
    return this.layers.arrows;
  }

  get contact() {
    return this.layers.contact;
  }

  /** Change some of what is shown. @param {Partial<EffectState>} changes */
  set(changes) {
    this.app.store.set({ effects: { ...this.app.store.state.effects, ...changes } });
  }

  /** @param {() => void} call whenever something else is shown */
  onChange(call) {
    this.listeners.push(call);
  }

  tell() {
    for (const call of this.listeners) call();
  }

  /** Groups of arrows that are shown. @returns {ReadonlySet<string>} */
  groups() {
    const { groups } = this.app.store.state.effects;
    return groups ?? new Set([...this.arrows.groups()].filter(([group, count]) => group !== "joint" && count <= MANY).map(([group]) => group));
  }

  /** Put what belongs to a record into its scene. */
  attach() {
    const { block, world } = this.app;
    const arrows = new Arrows(block), contact = new Contact(block), meshColour = new MeshColour(block, world.loaded.bodies), deformed = new Deformed(block, world.loaded.bodies);
    world.loaded.bodies.root.add(arrows.root, contact.root); // so that they move with the frame in which bodies are looked at
    world.loaded.scene.onBeforeRender = () => this.before();
    return { block, arrows, contact, meshColour, deformed };
  }

  /** Whether contact is drawn on the flanks. */
  get showsContact() {
    const known = () => this.contact.tables.length > 0 || this.app.block.head.pairs.some(({ law }) => law === "Loaded" || law === "Flank");
    return this.app.store.state.effects.contact ?? known();
  }

  /** Where a body stands as it is drawn; null where it is not drawn. @param {string} name */
  poseOf(name) {
    const body = this.app.world.loaded.bodies.byName.get(name);
    if (body) {
      body.group.updateMatrix();
      return body.group.matrix;
    }
    return name === "ground" ? new Matrix4() : null;
  }

  /** What the state asks of the materials. */
  use() {
    const { colour, axial } = this.app.store.state.effects;
    this.layers.meshColour.use(colour === "force");
    this.layers.deformed.use(colour === "displacement", axial);
  }

  /** Bodies stand as they are: move those that displacements are magnified of. @param {number} t */
  deform(t) {
    const { magnification, axial } = this.app.store.state.effects;
    this.layers.deformed.show(t, magnification, axial);
  }

  /** Place everything for the picture that is drawn next. */
  before() {
    const { state } = this.app.store;
    const { arrowScale, reactions } = state.effects;
    const how = { groups: this.groups(), hidden: state.hidden, scale: arrowScale, reactions };
    const poseOf = (/** @type {string} */ name) => this.poseOf(name);
    this.arrows.place(state.time, how, this.pixel(), poseOf);
    if (state.effects.colour === "force") this.layers.meshColour.place(state.time, this.app.world.loaded.bodies.root.matrixWorld);
    this.contact.root.visible = this.showsContact;
    if (this.showsContact) this.contact.place(state.time, poseOf, state.effects.load);
    for (const { root } of [this.arrows, this.contact]) root.updateWorldMatrix(true, true);
  }

  /** Length of a pixel of the screen at the point about which the view turns [m]. */
  pixel() {
    return (2 * this.app.world.eye.half()) / Math.max(this.app.world.canvas.clientHeight, 1);
  }
}

export { GROUPS };
