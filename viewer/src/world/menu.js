// A menu of what can be done with a part, by right click or the menu key.
// @ts-check
import { h } from "../dom.js";
import { actionsOf } from "./actions.js";

/** @type {(() => void) | null} */
let close = null;

/** @param {import("../main.js").App} app @param {string} name @param {number} x @param {number} y [pixels of the window] @param {HTMLElement} from gets the focus back */
export function menu(app, name, x, y, from) {
  close?.();
  const actions = actionsOf(app, name);
  if (!actions.length) return;
  const items = actions.map(({ id, text, key, on, run }) => h("button", { type: "button", role: "menuitemcheckbox", "aria-checked": String(on), "data-action": id, tabIndex: -1, onclick: () => { end(); run(); } }, h("span", {}, text), h("kbd", {}, key)));
  const root = h("div", { id: "menu", role: "menu", "aria-label": name }, h("b", {}, name), ...items);
  document.body.append(root);
  root.style.left = `${Math.max(4, Math.min(x, innerWidth - root.offsetWidth - 4))}px`;
  root.style.top = `${Math.max(4, Math.min(y, innerHeight - root.offsetHeight - 4))}px`;
  const away = (/** @type {Event} */ e) => { if (!root.contains(/** @type {Node} */ (e.target))) end(); };
  function end() {
    root.remove();
    removeEventListener("pointerdown", away, true);
    close = null;
    from.focus({ preventScroll: true });
  }
  addEventListener("pointerdown", away, true);
  root.addEventListener("keydown", (e) => {
    const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)), n = items.length;
    if (e.key === "ArrowDown") items[(at + 1) % n].focus();
    else if (e.key === "ArrowUp") items[(at + n - 1) % n].focus();
    else if (e.key === "Home") items[0].focus();
    else if (e.key === "End") items[n - 1].focus();
    else if (e.key === "Escape" || e.key === "Tab") end();
    else if (e.key !== "Enter" && e.key !== " ") return;
    e.stopPropagation();
    if (e.key !== "Enter" && e.key !== " ") e.preventDefault();
  });
  close = end;
  items[0].focus();
}
