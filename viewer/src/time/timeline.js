// The time: a slider, play and pause, steps, the factor of speed.
// @ts-check
import { h, icon, iconButton } from "../dom.js";
import { rateText, timeAxis, timeText } from "../format.js";
import { firstRate, meshStep, nextPicture, nextRate, sampleStep, steppedPair, toothRates } from "./rate.js";
import { span } from "./span.js";

const PAUSE = 0.25; // most of the clock that one picture goes on by [s]
const UNSEEN = 2; // a longer gap between pictures is a page that was not seen [s]

/** @typedef {ReturnType<typeof timeline>} Timeline */

/** @param {import("../main.js").App} app */
export function timeline(app) {
  const { store, regions } = app;
  const act = {
    play: () => { if (moves()) store.set({ playing: !store.state.playing }); },
    sample: (/** @type {1 | -1} */ side) => go(sampleStep(app.block, store.state.time, side)),
    mesh: (/** @type {1 | -1} */ side) => { if (!meshNext.disabled) go(meshStep(app.block, store.state.selected, store.state.time, side)); },
    ends: (/** @type {1 | -1} */ side) => go(side > 0 ? limits.to : limits.from),
    speed: (/** @type {1 | -1} */ side) => {
      if (!moves()) return;
      byHand = true;
      store.set({ rate: nextRate(store.state.rate, side) });
    },
  };
  const play = iconButton("play", "Play (space)", act.play, { id: "play" });
  const meshBack = iconButton("meshBack", "", () => act.mesh(-1), { id: "mesh-back" });
  const meshNext = iconButton("meshNext", "", () => act.mesh(1), { id: "mesh-next" });
  const back = iconButton("back", "Previous sample (←)", () => act.sample(-1), { id: "back" });
  const next = iconButton("next", "Next sample (→)", () => act.sample(1), { id: "next" });
  const slider = h("input", { id: "time", type: "range", step: "any", "aria-label": "Time", oninput: () => store.set({ time: Number(slider.value) }) });
  const now = h("output", { id: "now", "aria-label": "Time" });
  const loop = iconButton("loop", "Repeat", () => store.set({ loop: !store.state.loop }), { id: "loop", "aria-pressed": "false" });
  const rate = h("input", { id: "rate", type: "text", inputMode: "decimal", size: 6, title: "Playback speed, such as 0.01 or 1/100", "aria-label": "Factor of speed", onchange: typed, onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") say(); } });
  const factor = h("output", { id: "factor" });
  const still = h("span", { id: "still" });
  const speed = h("span", { id: "speed" }, rate, "×", factor);
  regions.footer.append(h("span", { className: "steps", role: "group", "aria-label": "Play and steps" }, meshBack, back, play, next, meshNext), slider, now, still, speed, loop);

  /** Whether the user chose the speed: another record then keeps it. */
  let byHand = false;
  let limits = span(app.block);
  let rates = toothRates(app.block);
  /** Factor at which the run is really shown, where teeth hold it back; 0: none. */
  let real = 0;
  const moves = () => limits.to > limits.from;

  /** @param {number} t [s] */
  function go(t) {
    store.set({ playing: false, time: Math.min(Math.max(t, limits.from), limits.to) });
  }
  function typed() {
    const [a, b] = rate.value.replace(",", ".").replace("−", "-").replace(/[×x\s]/g, "").split("/").map(Number);
    const value = b === undefined ? a : a / b;
    if (value >= 1e-9 && value <= 1e4) {
      byHand = true;
      store.set({ rate: value });
    }
    rate.value = rateText(store.state.rate);
  }
  function say() {
    const { time: t, rate: r, loop: again, playing } = store.state;
    slider.value = String(t);
    const text = timeText(t, Math.max(Math.abs(limits.from), Math.abs(limits.to)), timeAxis(app.block));
    now.textContent = text;
    slider.setAttribute("aria-valuetext", text);
    if (document.activeElement !== rate) rate.value = rateText(r);
    const held = playing && real > 0 && real < 0.95 * r;
    factor.textContent = held ? `shown at ${rateText(real)} ×` : `1 s = ${timeText(r, r, timeAxis(app.block)).replace(/\.?0+ /, " ")}`;
    factor.title = held
      ? "The display is too slow for the chosen speed. The run is shown slower, so that no tooth moves by more than a quarter of its pitch between two frames."
      : "Time of the run that is shown per second.";
    factor.classList.toggle("held", held);
    loop.setAttribute("aria-pressed", String(again));
  }
  function fill() {
    limits = span(app.block);
    rates = toothRates(app.block);
    slider.min = String(limits.from);
    slider.max = String(limits.to);
    for (const control of [play, back, next, slider, loop, rate]) control.disabled = !moves();
    speed.hidden = loop.hidden = !moves();
    const { head } = app.block;
    still.textContent = moves() ? "" : head.kind === "built" ? "as built, no motion" : head.samples === 0 ? "no sample: the run failed before the first sample" : "one sample, no motion";
    still.hidden = moves();
    const t = Math.min(Math.max(store.state.time, limits.from), limits.to);
    store.set({ rate: byHand ? store.state.rate : firstRate(app.block, rates), time: t, playing: store.state.playing && moves() });
    pairSaid();
    say();
  }
  function pairSaid() {
    const pair = steppedPair(app.block, store.state.selected);
    for (const [button, text] of /** @type {const} */ ([[meshBack, "back (Shift + ←)"], [meshNext, "on (Shift + →)"]])) {
      button.disabled = !pair || !moves();
      button.title = pair ? `One mesh period of ${pair.name} ${text}` : "No gear pair whose mesh periods are known";
      button.setAttribute("aria-label", button.title);
    }
  }

  let before = 0;
  /** @param {number} stamp [ms] */
  function step(stamp) {
    const { playing, rate: speed, time: t, loop: again } = store.state;
    if (!playing) return;
    const elapsed = (stamp - before) / 1000, passed = Math.min(Math.max(elapsed, 0), PAUSE);
    before = stamp;
    if (passed > 0) {
      const after = nextPicture(app.block, rates, t, t + passed * speed);
      if (elapsed < UNSEEN) real = real ? 0.9 * real + 0.1 * ((after - t) / elapsed) : (after - t) / elapsed;
      if (after < limits.to) store.set({ time: after });
      else if (again) store.set({ time: limits.from });
      else store.set({ time: limits.to, playing: false });
    }
    requestAnimationFrame(step);
  }
  store.on(["time", "rate", "loop"], say);
  store.on(["rate"], () => { real = 0; });
  store.on(["selected"], pairSaid);
  store.on(["record"], fill);
  store.on(["playing"], ({ playing, time: t }) => {
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.title = playing ? "Pause (space)" : "Play (space)";
    play.setAttribute("aria-label", play.title);
    real = 0;
    say();
    if (!playing) return;
    if (t >= limits.to) store.set({ time: limits.from });
    before = performance.now();
    requestAnimationFrame(step);
  });
  fill();
  return act;
}
