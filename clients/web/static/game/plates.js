/** Makes long names fit on the plates: without the second line, then smaller, then without the captured pieces. */

/**
 * The steps, until a name fits: its size, as a part of the usual one, and what gives way. `bare`: the second line;
 * `barer`: the captured pieces too; `broken`: words are broken.
 */
const STEPS = [
  { size: 1, gone: [] }, { size: 0.9, gone: [] }, { size: 0.9, gone: ["bare"] }, { size: 0.8, gone: ["bare"] },
  { size: 0.8, gone: ["bare", "barer"] }, { size: 0.7, gone: ["bare", "barer"] },
  { size: 0.7, gone: ["bare", "barer", "broken"] }, { size: 0.6, gone: ["bare", "barer", "broken"] },
  { size: 0.5, gone: ["bare", "barer", "broken"] },
];

/** Pixels by which a clock's box may overlap the line above: its figures are lower than the box. */
const SLACK = 3;

/** Keep the names whole, at any size and whatever the plates show. @param {Iterable<HTMLElement>} cards */
export function watch(cards) {
  for (const card of cards) {
    new ResizeObserver(() => fit(card)).observe(card);
    const changes = new MutationObserver(() => fit(card));
    for (const part of card.querySelectorAll(".who, .note, .prey"))
      changes.observe(part, { childList: true, characterData: true, subtree: true });
    fit(card);
  }
}

/** @param {HTMLElement} card */
function fit(card) {
  for (const { size, gone } of STEPS) {
    card.style.setProperty("--name", `${size}`);
    for (const kind of ["bare", "barer", "broken"]) card.classList.toggle(kind, gone.includes(kind));
    if (isWhole(card)) return;
  }
}

/** @param {HTMLElement} card */
function isWhole(card) {
  const within = /** @type {HTMLElement} */ (card.firstElementChild);
  const [who, name, prey, note, clock] = [".who", ".who .name", ".prey", ".in > .note", ".clock"].map(
    (part) => /** @type {HTMLElement|null} */ (card.querySelector(part)),
  );
  if (who === null || name === null || within.scrollHeight > within.clientHeight + 1) return false;
  if ([who, name].some((one) => one.scrollWidth > one.clientWidth + 1)) return false;
  if (clock === null || clock.offsetHeight === 0 || !card.closest(".players-4")) return true;
  const above = [who, prey, note].map((one) => one?.getBoundingClientRect().bottom ?? 0);
  return Math.max(...above) <= clock.getBoundingClientRect().top + SLACK;
}
