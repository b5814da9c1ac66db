// The regions of the page; what stands in them is made by the panels. Panels can be folded and resized; in a narrow window
// they share one drawer below the view.
// @ts-check
import { framed, h } from "./dom.js";
import { splitter } from "./splitter.js";

/** @typedef {ReturnType<typeof layout>} Layout */
/** @typedef {"parts" | "side" | "plot"} PanelName */

const NAMES = /** @type {const} */ ({ parts: "Parts", side: "Signals", plot: "Plot" });

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
  const { body } = document;
  regions.view.append(regions.canvas, regions.tools);
  const tabs = Object.entries(NAMES).map(([name, text]) => h("button", { type: "button", "aria-controls": name, onclick: () => panels.toggle(/** @type {PanelName} */ (name)) }, text));
  const drawers = h("div", { id: "drawers", role: "toolbar", "aria-label": "Panels" }, ...tabs);
  body.append(
    regions.header, regions.parts, splitter("parts", "left", 110), regions.view, splitter("side", "right", 180), regions.side,
    splitter("plot", "below", 110), drawers, regions.plot, regions.footer,
  );

  const narrow = matchMedia("(max-width: 700px)");
  let empty = false; // there is nothing to plot
  /** @type {Set<() => void>} */
  const watching = new Set();
  const panels = {
    /** Whether a panel can be seen. @param {PanelName} name */
    open: (name) => !body.classList.contains(`no-${name}`),
    /** @param {PanelName} name @param {boolean} open */
    set(name, open) {
      body.classList.toggle(`no-${name}`, !open);
      if (open && narrow.matches) for (const other of /** @type {PanelName[]} */ (Object.keys(NAMES))) if (other !== name) body.classList.add(`no-${other}`);
      told();
    },
    /** @param {PanelName} name */
    toggle: (name) => panels.set(name, !panels.open(name)),
    /** A model as it is built leaves the room of the plot to the view, until there is something to plot. @param {boolean} yes */
    nothingToPlot(yes) {
      if (yes !== empty) panels.set("plot", !(empty = yes));
    },
    /** Call when panels were opened or folded. @param {() => void} call */
    watch: (call) => watching.add(call),
  };
  function told() {
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(panels.open(/** @type {PanelName} */ (tab.getAttribute("aria-controls")))));
    for (const call of watching) call();
  }
  /** A narrow window begins with the plot in the drawer; a wide one with everything, less the plot where it is very low. */
  function begin() {
    body.classList.toggle("narrow", narrow.matches);
    for (const name of Object.keys(NAMES)) body.classList.toggle(`no-${name}`, narrow.matches && name !== "plot");
    if (innerHeight < 480 || empty) body.classList.add("no-plot");
    if (framed && innerWidth < 950) body.classList.add("no-parts", "no-side"); // room for the view
    told();
  }
  body.addEventListener("fold", (e) => panels.set(/** @type {CustomEvent<PanelName>} */ (e).detail, false));
  narrow.addEventListener("change", begin);
  begin();
  return { ...regions, panels };
}
