// Play, pause, and the time as a slider.
// @ts-check
import { h } from "../dom.js";

const RATES = [1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001];

/** @param {import("../main.js").App} app */
export function timeline(app) {
  const { store, regions } = app;
  const { time } = app.block;
  const from = time[0] ?? 0, to = time[time.length - 1] ?? 0;
  const play = h("button", { id: "play", "aria-label": "Play or pause", onclick: () => store.set({ playing: !store.state.playing }) }, "▶");
  const slider = h("input", { id: "time", type: "range", min: String(from), max: String(to), step: "any", value: String(from), "aria-label": "Time", oninput: () => store.set({ time: Number(slider.value) }) });
  const now = h("output", { id: "now" });
  const rate = h("select", { id: "rate", "aria-label": "Speed", onchange: () => store.set({ rate: Number(rate.value) }) }, ...RATES.map((r) => new Option(`${r} ×`, String(r))));
  store.set({ rate: RATES.find((r) => (to - from) / r >= 8) ?? RATES[RATES.length - 1] }); // a run lasts about eight seconds
  rate.value = String(store.state.rate);
  regions.footer.append(play, slider, now, rate);
  function say() {
    slider.value = String(store.state.time);
    now.textContent = `${store.state.time.toFixed(5)} s`;
  }
  let before = 0;
  /** @param {number} stamp */
  function step(stamp) {
    const { playing, rate: speed } = store.state;
    if (!playing) return;
    const next = store.state.time + ((stamp - before) / 1000) * speed;
    before = stamp;
    store.set(next >= to ? { time: to, playing: false } : { time: next });
    requestAnimationFrame(step);
  }
  store.on(["time"], say);
  store.on(["playing"], ({ playing, time: t }) => {
    play.textContent = playing ? "❚❚" : "▶";
    if (!playing) return;
    if (t >= to) store.set({ time: from });
    before = performance.now();
    requestAnimationFrame(step);
  });
  say();
}
