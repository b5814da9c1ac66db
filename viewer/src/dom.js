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
