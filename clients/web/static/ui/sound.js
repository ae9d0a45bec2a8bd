/** Short synthesised tones; no files. Browsers allow them only after the user has touched the page. */

import * as settings from "../net/settings.js";

/** @type {AudioContext|null} */
let context = null;

/** @typedef {import("../text/news.js").Sound} Sound */

/**
 * Each sound is a list of tones: hertz, start and duration in seconds, loudness.
 * @type {Record<Sound, [number, number, number, number][]>}
 */
const TONES = {
  move: [[330, 0, 0.07, 0.25]],
  take: [
    [250, 0, 0.06, 0.3], [180, 0.05, 0.09, 0.3],
  ],
  turn: [
    [523, 0, 0.1, 0.22], [784, 0.1, 0.16, 0.22],
  ],
  check: [
    [740, 0, 0.09, 0.25], [740, 0.13, 0.12, 0.25],
  ],
  win: [
    [523, 0, 0.12, 0.24], [659, 0.11, 0.12, 0.24], [784, 0.22, 0.12, 0.24], [1047, 0.33, 0.5, 0.26],
    [784, 0.33, 0.5, 0.12],
  ],
  end: [
    [523, 0, 0.16, 0.22], [659, 0.15, 0.16, 0.22], [784, 0.3, 0.35, 0.22],
  ],
};

/** @param {Sound} sound */
export function play(sound) {
  if (!settings.loud() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const start = context.currentTime + 0.01;
  for (const [hertz, when, length, loudness] of TONES[sound]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, start + when);
    volume.gain.linearRampToValueAtTime(loudness, start + when + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.001, start + when + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start + when);
    tone.stop(start + when + length);
  }
}
