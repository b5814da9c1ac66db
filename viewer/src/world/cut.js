// The cutting plane.
// @ts-check
import { InstancedMesh, Mesh, Vector3 } from "three";
import { Section } from "./surface.js";

/** The plane in the world: what lies towards `normal` beyond `offset` is cut away. @param {import("./world.js").World} world @param {import("./look.js").CutLook} [cut] the state's, or another */
export function cutPlane(world, cut = world.app.store.state.look.cut) {
  const { loaded } = world, { root } = loaded;
  const item = world.views.selected;
  const normal = new Vector3(cut.by === "x" ? 1 : 0, cut.by === "y" ? 1 : 0, cut.by === "z" ? 1 : 0);
  let low = Infinity, high = -Infinity;
  if (cut.by === "axis") {
    const { axis, point } = loaded.places.axis(item);
    normal.crossVectors(axis, Math.abs(axis.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(0, 1, 0)).normalize();
    // half way of the slider is the axis
    for (const p of loaded.reached) high = Math.max(high, Math.abs(p.clone().applyMatrix4(root.matrixWorld).sub(point).dot(normal)));
    high = Number.isFinite(high) ? high : loaded.size;
    low = point.dot(normal) - high;
    high = point.dot(normal) + high;
  } else {
    normal.transformDirection(root.matrixWorld);
    for (const p of loaded.reached) {
      const d = p.clone().applyMatrix4(root.matrixWorld).dot(normal);
      low = Math.min(low, d);
      high = Math.max(high, d);
    }
    if (low > high) { low = -1; high = 1; }
  }
  const middle = low + cut.place * (high - low), offset = Number.isFinite(middle) ? middle : 0;
  return cut.flip ? { normal: normal.negate(), offset: -offset } : { normal, offset };
}

/** Tell the materials where the plane lies; solids show their sections. @param {import("./world.js").World} world */
export function applyCut(world) {
  const { loaded, app } = world, { on } = app.store.state.look.cut;
  for (const part of loaded.bodies.parts) {
    part.material.setCut(on);
    part.edges.setCut(on);
    if (on && !part.section) part.section = sectionOf(part);
    if (!part.section) continue;
    const { section, material, mesh } = part;
    section.visible = on;
    section.geometry = mesh.geometry; // which may have been exchanged for a deformed one
    section.material.follow(material);
  }
  for (const { mesh } of [...loaded.springs.all, ...loaded.sheets.all]) mesh.material.setCut(on);
  if (!on) return;
  const { normal, offset } = cutPlane(world);
  loaded.cut.plane.value.set(normal.x, normal.y, normal.z, offset);
}

/** @param {import("./bodies.js").DrawnPart} part */
function sectionOf({ mesh, material, holder }) {
  const look = new Section(material), section = mesh instanceof InstancedMesh ? new InstancedMesh(mesh.geometry, look, mesh.count) : new Mesh(mesh.geometry, look);
  if (section instanceof InstancedMesh && mesh instanceof InstancedMesh) section.instanceMatrix = mesh.instanceMatrix;
  section.frustumCulled = mesh.frustumCulled;
  holder.add(section);
  return section;
}

/** Whether a point is cut away. @param {import("./world.js").World} world @param {Vector3} point */
export function cutAway(world, point) {
  if (!world.app.store.state.look.cut.on) return false;
  const { x, y, z, w } = world.loaded.cut.plane.value;
  return point.x * x + point.y * y + point.z * z > w;
}
