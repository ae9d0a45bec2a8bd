/** The chances of the seats in a position, as whole percents. Pure. */

/**
 * Percents that add up to 100 if the shares add up to 1. Each is rounded down; the rest goes to the largest remainders.
 * @param {Record<string, number>} shares by seat @returns {Record<string, number>}
 */
export function percents(shares) {
  const parts = Object.entries(shares).map(([seat, share]) => ({
    seat, whole: Math.floor(100 * share), rest: (100 * share) % 1,
  }));
  const left =
    Math.round(parts.reduce((sum, { whole, rest }) => sum + whole + rest, 0)) -
    parts.reduce((sum, { whole }) => sum + whole, 0);
  const raised = [...parts].sort((one, other) => other.rest - one.rest).slice(0, left);
  return Object.fromEntries(parts.map((part) => [part.seat, part.whole + (raised.includes(part) ? 1 : 0)]));
}
