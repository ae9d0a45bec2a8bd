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

/**
 * The sets of sounds: each tone as partials, each with a wave form and factors for pitch, duration and loudness.
 * @type {Record<string, [OscillatorType, number, number, number][]>}
 */
const SETS = {
  tones: [["triangle", 1, 1, 1]],
  marimba: [
    ["sine", 1, 1.6, 1.2], ["sine", 3.93, 0.5, 0.35],
  ],
  wood: [
    ["sine", 0.5, 0.7, 1.6], ["triangle", 1.38, 0.35, 0.7], ["square", 2.7, 0.16, 0.12],
  ],
};

/** @param {Sound} sound */
export function play(sound) {
  if (!settings.loud() || !navigator.userActivation?.hasBeenActive) return;
  const set = SETS[settings.get("sounds") ?? ""] ?? SETS.tones;
  for (const tone of TONES[sound]) for (const partial of set) hear(tone, partial);
}

/** @param {[number, number, number, number]} tone @param {[OscillatorType, number, number, number]} partial */
function hear([hertz, when, length, loudness], [type, pitch, longer, louder]) {
  context ??= new AudioContext();
  const start = context.currentTime + 0.01 + when;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = type;
  tone.frequency.value = hertz * pitch;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loudness * louder, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length * longer);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length * longer);
}
