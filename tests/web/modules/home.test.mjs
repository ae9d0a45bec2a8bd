import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = { localStorage: { getItem: () => null } };
globalThis.document = { documentElement: { dataset: {} } };
const { rivalsOf, verdict } = await import("../../../clients/web/static/lobby/home.js");

/** A finished game: its seats in turn order, as "player place result". */
const game = (variant, colours, ...seats) => ({
  variant,
  seats: seats.map((words, index) => {
    const [player, place, result] = words.split(" ");
    return { seat: colours[index], player, name: player, bot: null, place: Number(place), result };
  }),
});
const FOUR = ["red", "blue", "yellow", "green"];

test("a partner is no opponent, and partners have no places", () => {
  const teams = game("teams", FOUR, "me 1 won", "bo 3 lost", "cy 1 won", "di 3 lost");
  assert.deepEqual(rivalsOf([teams], "me").map(({ player, score }) => [player, score]), [
    ["bo", "you lead 1 to 0"], ["di", "you lead 1 to 0"],
  ]);
  assert.equal(verdict(teams, "me"), "won in Teams");
});

test("places of four, and of three", () => {
  const four = game("survivor", FOUR, "me 2 lost", "bo 1 won", "cy 3 lost", "di 4 lost");
  assert.equal(verdict(four, "me"), "2nd of four in Survivor");
  assert.deepEqual(rivalsOf([four], "me").map(({ score }) => score), [
    "you trail 0 to 1", "you lead 1 to 0", "you lead 1 to 0",
  ]);
  const three = game("threeplayers", FOUR, "me 3 lost", "bo 1 won", "cy 2 lost");
  assert.match(verdict(three, "me"), /^3rd of three in /);
  assert.equal(verdict(game("standard", ["white", "black"], "me 1 won", "bo 2 lost"), "me"), "won in Chess");
});
