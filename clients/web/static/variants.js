/** The variants, as the engine has them; the server writes this module anew. @type {Record<string, {name: string, seats: string[], about: string}>} */
export const VARIANTS = {
  "standard": {
    "name": "Chess",
    "seats": [
      "white",
      "black"
    ],
    "about": "Chess for two, by the FIDE laws: checkmate wins."
  },
  "survivor": {
    "name": "Survivor",
    "seats": [
      "red",
      "blue",
      "yellow",
      "green"
    ],
    "about": "Four players, each alone: the last king standing wins."
  },
  "ffa": {
    "name": "Free for all",
    "seats": [
      "red",
      "blue",
      "yellow",
      "green"
    ],
    "about": "Four players, each alone: the game ends when three are out, and the most points win."
  },
  "teams": {
    "name": "Teams",
    "seats": [
      "red",
      "blue",
      "yellow",
      "green"
    ],
    "about": "Red and yellow against blue and green: who mates or takes a king of the others wins for both partners."
  },
  "chess960": {
    "name": "Chess960",
    "seats": [
      "white",
      "black"
    ],
    "about": "Chess for two from one of 960 arrays of the pieces."
  },
  "kingofthehill": {
    "name": "King of the hill",
    "seats": [
      "white",
      "black"
    ],
    "about": "Chess for two: checkmate wins, and so does the king that reaches the middle of the board."
  },
  "threecheck": {
    "name": "Three-check",
    "seats": [
      "white",
      "black"
    ],
    "about": "Chess for two: checkmate wins, and so does the third check."
  }
};
