// Elements of the page. Texts go in as text nodes: nothing that a result file says is ever read as HTML.
// @ts-check

/**
 * An element with properties (on… are listeners, aria-… and data-… attributes) and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [properties] @param {...(Node | string)} children @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key.includes("-") || key === "for" || key === "role") made.setAttribute(key, value);
    else /** @type {any} */ (made)[key] = value;
  }
  made.append(...children);
  return made;
}

// drawn on a field of 16 x 16; fonts would show some of these signs as coloured pictures
const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  back: "M11.5 3v10L5.5 8zM3.5 3H5v10H3.5z",
  next: "M4.5 3v10l6-5zM11 3h1.5v10H11z",
  meshBack: "M8 3v10L2.5 8zM13.5 3v10L8 8z",
  meshNext: "M8 3v10l5.5-5zM2.5 3v10L8 8z",
  loop: "M8 2.5a5.5 5.5 0 0 1 4.9 3H11V7h4V3h-1.3v1.4A7 7 0 0 0 1 8h1.5A5.5 5.5 0 0 1 8 2.5M8 13.5a5.5 5.5 0 0 1-4.9-3H5V9H1v4h1.3v-1.4A7 7 0 0 0 15 8h-1.5A5.5 5.5 0 0 1 8 13.5z",
  close: "M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",
  left: "M1.5 2.5h13v11h-13zM6 3.7v8.6h7.3V3.7z",
  right: "M1.5 2.5h13v11h-13zM2.7 3.7v8.6H10V3.7z",
  below: "M1.5 2.5h13v11h-13zM2.7 3.7V9h10.6V3.7z",
  theme: "M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M8 3v10a5 5 0 0 0 0-10z",
  warning: "M8 1.5 15.2 14H.8zM7.25 6v4h1.5V6zM7.25 11v1.5h1.5V11z",
  note: "M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M7.25 7v4.5h1.5V7zM7.25 4.5V6h1.5V4.5z",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", width: "16", height: "16", "aria-hidden": "true", class: "icon" })) svg.setAttribute(key, value);
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/**
 * A button with an icon, a label for readers and a tooltip.
 * @param {keyof typeof ICONS} name @param {string} label @param {() => void} press @param {Record<string, any>} [properties]
 */
export function iconButton(name, label, press, properties = {}) {
  return h("button", { type: "button", className: "tool", title: label, "aria-label": label, onclick: press, ...properties }, icon(name));
}

/** Whether the page stands in a frame, of a report, a notebook or the documentation. */
export const framed = window.parent !== window;

/** Whether the wheel belongs to the page around: this one stands in a frame and was not clicked into. */
export const outerScrolls = () => framed && !document.hasFocus();
