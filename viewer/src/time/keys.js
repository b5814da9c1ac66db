// Keys for the whole page. Fields, lists and buttons keep the keys that they need themselves.
// @ts-check

/** @param {import("../main.js").App} app @param {import("./timeline.js").Timeline} act */
export function keys(app, act) {
  const { store, regions } = app;
  const press = (/** @type {string} */ id) => document.getElementById(id)?.click();
  document.addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (e.target instanceof HTMLElement ? e.target : document.body);
    const slider = target.id === "time";
    if (!slider && target.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select")) {
      if (e.key === "Escape") target.blur();
      return;
    }
    const side = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (side && (slider || !target.matches("[role=tree], [role=treeitem], [role=separator], [role=slider], input"))) (e.shiftKey ? act.mesh : act.sample)(side);
    else if (e.key === " " && !target.matches("button, input:not(#time), summary, a, [role=tree], [role=treeitem]")) act.play();
    else if (e.key === "Home" && !target.matches("[role=tree], [role=treeitem]")) act.ends(-1);
    else if (e.key === "End" && !target.matches("[role=tree], [role=treeitem]")) act.ends(1);
    else if (e.key === "+" || e.key === "=") act.speed(1);
    else if (e.key === "-" || e.key === "−") act.speed(-1);
    else if (e.key === "Escape") store.set({ selected: "" });
    else if (e.key === "?") press("show-help");
    else if (e.key === "/") {
      regions.panels.set("side", true);
      document.getElementById("find")?.focus();
    } else return;
    e.preventDefault();
  });
}
