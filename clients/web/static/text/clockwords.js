/** Texts about clocks for the lobby: a time control in full, a waiting time. Pure. */

/**
 * A time control in full: "1 min + 15 s delay".
 * @param {{base: number, increment: number, delay: number}|null} clock
 */
export function clockWords(clock) {
  if (!clock) return "no clock";
  if (clock.base === 0) return `${clock.delay / 1000} s for each move`;
  const base = clock.base % 60_000 ? `${clock.base / 1000} s` : `${clock.base / 60_000} min`;
  const bonus = clock.delay
    ? `${clock.delay / 1000} s delay`
    : clock.increment
      ? `${clock.increment / 1000} s each move`
      : "";
  return bonus ? `${base} + ${bonus}` : `${base} for the game`;
}

/** A duration in minutes and seconds. @param {number} milliseconds */
export const lasted = (milliseconds) =>
  `${Math.floor(milliseconds / 60_000)}:${String(Math.floor(milliseconds / 1000) % 60).padStart(2, "0")}`;
