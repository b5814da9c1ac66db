// The regions of the page; what stands in them is made by the panels.
// @ts-check
import { h } from "./dom.js";

/** @typedef {ReturnType<typeof layout>} Layout */

export function layout() {
  const regions = {
    header: h("header", { id: "header" }),
    parts: h("nav", { id: "parts", "aria-label": "Parts" }),
    canvas: h("canvas", { id: "view", tabIndex: 0, "aria-label": "3D view" }),
    tools: h("div", { id: "tools", role: "toolbar", "aria-label": "View" }),
    view: h("main", { id: "stage" }),
    side: h("aside", { id: "side", "aria-label": "Selected part and signals" }),
    plot: h("section", { id: "plot", "aria-label": "Plot" }),
    footer: h("footer", { id: "footer" }),
  };
  regions.view.append(regions.canvas, regions.tools);
  document.body.append(regions.header, regions.parts, regions.view, regions.side, regions.plot, regions.footer);
  return regions;
}
