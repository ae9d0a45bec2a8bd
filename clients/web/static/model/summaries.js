/** The aim of each variant of the engine, in a sentence. The server generates this module. */

/** @type {Record<string, string>} */
export const SUMMARIES = {
  "standard": "Chess for two, by the FIDE laws: checkmate wins.",
  "survivor": "Four players, each alone: the last king standing wins.",
  "ffa": "Four players, each alone: the game ends when three are out, and the most points win.",
  "teams": "Red and yellow against blue and green: a mate or a king's capture wins for both partners.",
  "chess960": "Chess for two from one of 960 starting arrays.",
  "kingofthehill": "Chess for two: checkmate wins, and so does the king that reaches the middle of the board.",
  "threecheck": "Chess for two: checkmate wins, and so does the third check.",
  "crazyhouse": "Chess for two: the pieces that you capture are yours, to drop on the board instead of a move.",
  "atomic": "Chess for two: captures explode the pieces round them, and the king that explodes loses.",
  "antichess": "Chess for two, reversed: you must capture if you can. A player without pieces or moves wins.",
  "horde": "Chess for two: White's 36 pawns without a king against Black's usual army.",
  "racingkings": "A race for two: the first king on the last rank wins, and nobody may give check.",
  "kingofthehill4": "Four players, each alone: the last king standing wins, and so does the king that reaches the middle.",
  "threecheck4": "Four players, each alone: the last king standing wins, and so does the third check.",
  "antichess4": "Four players, each alone: you must capture if you can. The first player without pieces or moves wins.",
  "threeplayers": "Three players, each alone: the last king standing wins.",
  "selfpartner": "Two players with two opposite armies each: a mate or a king's capture wins.",
};
