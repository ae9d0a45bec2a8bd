"""Learns to play by itself: `pip install '.[learn]'`, `python -m fourfold.clients.examples.learn --minutes 2`.

A network with one hidden layer estimates the value of a position for the player who has just moved. The program plays
all seats. It chooses the move to the position with the highest estimate, and learns from the later estimates and
results (temporal differences, with a memory of recent positions). It starts with nothing but the rules, and supports
any variant whose board can be rotated.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small: more threads wait for each other

import numpy as np
from numpy.typing import NDArray

from fourfold.clients.bots.levels import chooser
from fourfold.clients.environments.encoding import VERSION, Planes, encoding_of, follow, rewards
from fourfold.engine import Position

Floats: TypeAlias = NDArray[np.float32]
HIDDEN, RATE, BATCH, BATCHES, MEMORY = 64, 0.001, 256, 4, 20_000
TRUST, DISCOUNT = 0.7, 0.99  # the share of later results against the next estimate, and the weight of each later step
TEMPERATURE, PLIES = 0.05, 200  # of the games it learns from: how freely it plays, and the most plies


class Net:
    """Estimates positions of a variant, from -1 to 1, from a seat's planes."""

    def __init__(self, variant: str, seed: int = 0) -> None:
        self.variant, self.encoding = variant, encoding_of(variant)
        planes, seats = self.encoding.planes, len(Position.start(variant).seats)
        size = math.prod(self.encoding.shape)
        cells = size // planes
        scale = np.ones(planes, np.float32)
        scale[-2 * seats - 3 :] = 1 / cells  # the planes that are the same everywhere
        scale[-seats - 2 :] /= 100  # and count
        self._scale = np.repeat(scale, cells)
        self.chance = chance = np.random.default_rng(seed)
        first = chance.normal(0, 0.05, (size, HIDDEN)).astype(np.float32)
        self.weights = [first, *(np.zeros(shape, np.float32) for shape in (HIDDEN, (HIDDEN, 1), 1))]
        self.weights[2] += chance.normal(0, 0.1, (HIDDEN, 1)).astype(np.float32)
        self._moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.weights]
        self._steps = 0

    def _forward(self, seen: list[Planes]) -> tuple[Floats, Floats, Floats]:
        given: Floats = np.stack(seen).reshape(len(seen), -1) * self._scale
        hidden: Floats = np.maximum(given @ self.weights[0] + self.weights[1], 0)
        return given, hidden, np.tanh(hidden @ self.weights[2] + self.weights[3])[:, 0]

    def values(self, seen: list[Planes]) -> Floats:
        """The estimates of some positions."""
        return self._forward(seen)[2]

    def learn(self, seen: list[Planes], worth: Floats) -> None:
        """Make one step of Adam towards target values."""
        given, hidden, values = self._forward(seen)
        error = ((values - worth) * (1 - values**2) / len(seen))[:, None]
        back = (error @ self.weights[2].T) * (hidden > 0)
        self._steps += 1
        for one, slope, (mean, square) in zip(
            self.weights, (given.T @ back, back.sum(0), hidden.T @ error, error.sum(0)), self._moments, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            unbiased = np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
            one -= RATE * mean / (1 - 0.9**self._steps) / unbiased

    def save(self, path: Path) -> None:
        """Write the weights to a file, whose name ends in `.npz`."""
        first, second, third, fourth = self.weights
        np.savez(path, first=first, second=second, third=third, fourth=fourth, variant=self.variant, version=VERSION)

    @classmethod
    def load(cls, path: Path) -> Net:
        """The network saved in a file. Raises `ValueError` if it knows another version of the encoding."""
        with np.load(path) as saved:
            version = int(saved["version"]) if "version" in saved else 1
            if version != VERSION:
                raise ValueError(f"{path} is of version {version} of the encoding, not {VERSION}: learn anew.")
            net = cls(str(saved["variant"]))
            net.weights = [saved[name] for name in ("first", "second", "third", "fourth")]
        return net

    def choose(self, position: Position, temperature: float = 0) -> tuple[Position, Planes]:
        """The position after the best move, or at a temperature, after a random good move, with the mover's
        observation. A finished game has the value of its result."""
        after, seen, values = self._replies(position)
        if temperature:
            values += self.chance.gumbel(0, temperature, len(after))
        best = int(values.argmax())
        return after[best], seen[best]

    def policy(self) -> Callable[[Position], int]:
        """The policy of the network as it is now, for a `Pool`: it stays the same while the network learns on."""
        frozen = Net(self.variant)
        frozen.weights = [one.copy() for one in self.weights]

        def act(position: Position) -> int:
            best = int(frozen._replies(position)[2].argmax())
            return frozen.encoding.action(position, position.legal_moves[best])

        return act

    def _replies(self, position: Position) -> tuple[list[Position], list[Planes], Floats]:
        """The positions after each legal move, as the mover sees them, and their values."""
        seat = position.turn
        after = [follow(position.play(move)) for move in position.legal_moves]
        seen = [self.encoding.see(one, seat) for one in after]
        values = self.values(seen)
        for index, one in enumerate(after):
            if one.outcome is not None:
                values[index] = rewards(one)[seat]
        return after, seen, values


def study(net: Net) -> tuple[list[Planes], list[float]]:
    """Play a game against itself: each mover's observation after each move, and its value in the end."""
    position = follow(Position.start(net.variant, seed=int(net.chance.integers(1 << 31))))
    told: list[list[Planes]] = [[] for _ in position.seats]
    for _ in range(PLIES):
        if position.outcome is not None:
            break
        seat = position.turn
        position, seen = net.choose(position, TEMPERATURE)
        told[seat].append(seen)
    brought = None if position.outcome is None else rewards(position)
    positions: list[Planes] = []
    worth: list[float] = []
    for seat, some in enumerate(told):
        if not some:
            continue
        values = net.values(some)
        later = values[-1] if brought is None else brought[seat]
        for index in reversed(range(len(some))):
            positions.append(some[index])
            worth.append(float(later))
            later = DISCOUNT * (TRUST * later + (1 - TRUST) * values[index])
    return positions, worth


def train(net: Net, seconds: float, report: float = 60) -> int:
    """Learn for `seconds` of processor time. Return the number of games."""
    memory: list[tuple[Planes, float]] = []
    games, began = 0, time.process_time()
    told = began
    while (now := time.process_time()) - began < seconds:
        memory += zip(*study(net), strict=True)
        del memory[:-MEMORY]
        games += 1
        for _ in range(BATCHES):
            some = [memory[index] for index in net.chance.integers(len(memory), size=BATCH)]
            net.learn([seen for seen, _ in some], np.array([worth for _, worth in some], np.float32))
        if now - told >= report:
            told = now
            print(f"{now - began:.0f} s, {games} games: {share(net, 20)[0]:.0%} against level 1", flush=True)
    return games


def share(net: Net, games: int, level: int = 1) -> tuple[float, float]:
    """The share of the points in games against a level, with its error at 95 % confidence."""
    points = results(net, games, level)
    return float(np.mean(points)), float(1.96 * np.std(points) / math.sqrt(games))


def results(net: Net, games: int, level: int) -> list[float]:
    """The points of each game against a level, from each seat in turn: from 0 for the last place to 1 for the first. A
    draw, and a game of more than 150 plies for each seat, is half a point."""
    points = []
    for game in range(games):
        others = chooser(level, game)
        position = follow(Position.start(net.variant, seed=game))
        seats, first = len(position.seats), position.ply
        seat = game % seats
        while position.outcome is None and position.ply - first < 150 * seats:
            if seat not in position.alive and not position.rules.scored:
                break  # its place will not change
            mine = position.turn == seat
            position = net.choose(position)[0] if mine else follow(position.play(others(position, 0)))
        if position.outcome is None and seat in position.order_out():
            points.append(position.order_out().index(seat) / (seats - 1))
        else:
            points.append((rewards(position)[seat] + 1) / 2)
    return points


def main() -> None:
    """Learn, save the network, and play against level 1."""
    parser = argparse.ArgumentParser(description="Learn to play, and play against level 1.")
    parser.add_argument("--variant", default="standard", help="default standard")
    parser.add_argument("--minutes", type=float, default=2, help="of processor time (default 2)")
    parser.add_argument("--games", type=int, default=200, help="against level 1 at the end (default 200)")
    parser.add_argument("--file", type=Path, default=Path("net.npz"), help="where to save it (default net.npz)")
    asked = parser.parse_args()
    net = Net(asked.variant)
    print(f"{train(net, 60 * asked.minutes)} games played")
    net.save(asked.file)
    points, error = share(net, asked.games)
    print(f"{points:.1%} ± {error:.1%} of {asked.games} games against level 1")


if __name__ == "__main__":
    main()
