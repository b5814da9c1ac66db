// The phase of a vibration, how fast and how large it is drawn, in place of the time.
// @ts-check
import { h } from "../dom.js";

/** @typedef {import("./choice.js").Choice} Choice */

const PACES = [0.1, 0.25, 0.5, 1, 2];
/** The slider of the amplitude goes from a 32th to 8 times, by powers of two. */
const LOWEST = -5, HIGHEST = 3;

/** @param {Choice} choice @returns {{element: HTMLElement, say: (size: string, moves: boolean) => void}} */
export function controls(choice) {
  const play = h("button", { id: "swing", type: "button", "aria-label": "Play or pause (space)", title: "Play or pause (space)", onclick: () => choice.set({ playing: !choice.state.playing }) }, "▶");
  const phase = h("input", { id: "phase", type: "range", min: "0", max: "360", step: "1", "aria-label": "Phase", oninput: () => choice.set({ phase: Number(phase.value) / 360, playing: false }) });
  const degrees = h("output", { id: "degrees" });
  const pace = h("select", { id: "pace", "aria-label": "Periods a second", title: "Periods per second on the screen, independent of the frequency", onchange: () => choice.set({ pace: Number(pace.value) }) }, ...PACES.map((p) => new Option(`${p} period${p === 1 ? "" : "s"}/s`, String(p))));
  const amplitude = h("input", { id: "amplitude", type: "range", min: String(LOWEST), max: String(HIGHEST), step: "any", "aria-label": "Amplitude", oninput: () => choice.set({ amplitude: 2 ** Number(amplitude.value) }), ondblclick: () => choice.set({ amplitude: 1 }) });
  const size = h("output", { id: "drawn" });
  const ghost = h("input", { id: "ghost", type: "checkbox", onchange: () => choice.set({ ghost: ghost.checked }) });
  const painted = h("input", { id: "painted", type: "checkbox", onchange: () => choice.set({ painted: painted.checked }) });
  const element = h("div", { className: "linear controls" },
    play, h("label", { className: "wide" }, "Phase", phase), degrees, pace, h("label", {}, "Amplitude", amplitude), size,
    h("label", {}, ghost, "rest position"), h("label", { title: "From blue (at rest) to red (largest motion)" }, painted, "colour by amplitude"));
  /** @param {import("./choice.js").Chosen} state */
  function show({ phase: p, playing, pace: speed, amplitude: a, ghost: g, painted: c }) {
    play.textContent = playing ? "❚❚" : "▶";
    phase.value = String(360 * p);
    degrees.textContent = `${Math.round(360 * p)}°`;
    pace.value = String(speed);
    amplitude.value = String(Math.log2(a));
    ghost.checked = g;
    painted.checked = c;
  }
  choice.on(show);
  show(choice.state);
  return {
    element,
    say(text, moves) {
      size.textContent = text;
      for (const control of [play, phase, pace, amplitude]) control.disabled = !moves;
    },
  };
}
