"""A Gymnasium environment: one seat of any variant against our levels or a pool of opponents, or one agent for all
seats.

>>> from fourfold.clients.environments.single import FourfoldEnv
>>> env = FourfoldEnv("ffa", level=2, plies=40)
>>> observation, info = env.reset(seed=1)
>>> int(info["action_mask"].sum())
20
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> env.seat, terminated
(0, False)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from fourfold.clients.bots.levels import chooser
from fourfold.clients.environments.encoding import PLIES, Planes, encoding_of, follow, rewards
from fourfold.clients.environments.pool import Opponent, Pool
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS


class FourfoldEnv(gymnasium.Env[Planes, np.int64]):
    """A Gymnasium environment. The agent plays one seat against computer players of a level or of a pool, or all seats
    if `level` is None.

    * `variant`: a name in `fourfold.engine.VARIANTS`.
    * `level`: the level of the other players, 1 to 5, or None.
    * `seat`: the agent's seat, as a number in the order of turns.
    * `opponents`: a `pool.Pool`, from which each reset draws the other players instead. `others` has their names by
      seat. At the end of a game the pool records the agent's points against each.
    * `budget`: seconds that level 5 thinks.
    * `plies`: the length at which a game is truncated.

    Observations are the planes of `encoding`, rotated to the agent's seat. `info["action_mask"]` has a 1 for each legal
    action, and `info["seat"]` is the seat to move. An illegal action loses the game. The reward comes at the end. It
    does so also for an agent who is out before; the other players then finish the game. It is the reward of the seat
    that moved; `info["rewards"]` has all rewards.
    """

    def __init__(
        self,
        variant: str = "standard",
        *,
        level: int | None = 1,
        seat: int = 0,
        opponents: Pool | None = None,
        budget: float = 0.1,
        plies: int = PLIES,
        render_mode: str | None = None,
    ) -> None:
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = render_mode
        self.encoding = encoding_of(variant)
        seats = VARIANTS[variant].seats
        if seat not in range(len(seats)):
            names = ", ".join(side.name for side in seats)
            raise ValueError(f"{variant} has the seats 0 to {len(seats) - 1} ({names}), not {seat}.")
        self._variant, self._level, self._seat, self._budget, self._plies = variant, level, seat, budget, plies
        self._choose = chooser(level or 1)
        self._pool = opponents
        self._drawn: dict[int, Opponent] = {}
        self.position = Position.start(variant)
        """The position on the board."""
        self._first = 0
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.observation_space = spaces.Box(0, 255, self.encoding.shape, np.uint8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, dict[str, Any]]:
        """Start a game, and play it up to the agent's turn. The seed also decides the other players' moves. The option
        `fen` starts from a FEN or FEN4."""
        self.begin(seed, options)
        return self.encoding.see(self.position, self.seat), self.info()

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Play an action, and then the other players' moves up to the agent's next turn, or to the end."""
        reward, over, long, told = self.play(int(action))
        return self.encoding.see(self.position, self.seat), reward, over, long, self.info() | told

    @property
    def seat(self) -> int:
        """The seat that the agent plays now: its own, or with `level=None` the one to move."""
        return self.position.turn if self._level is None and self._pool is None else self._seat

    @property
    def others(self) -> dict[int, str]:
        """The names of the opponents that were drawn from the pool, by seat."""
        return {seat: opponent.name for seat, opponent in self._drawn.items()}

    def begin(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Do the same as `reset`, without an observation."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1 << 31))
        self._choose = chooser(self._level or 1, drawn)
        self.position = follow(Position.start(self._variant, fen=(options or {}).get("fen"), seed=drawn))
        self._first = self.position.ply
        if self._pool is not None:
            seats = [seat for seat in range(len(self.position.seats)) if seat != self._seat]
            self._drawn = {seat: self._pool.draw(self.np_random) for seat in seats}
        self._await_turn()

    def play(self, action: int) -> tuple[float, bool, bool, dict[str, Any]]:
        """Do the same as `step`, without an observation."""
        seat = self.seat
        move = self.encoding.move(self.position, action) if self.position.turn == seat else None
        if move is None:
            return -1.0, True, False, {"illegal": True}
        self.position = follow(self.position.play(move))
        self._await_turn()
        outcome = self.position.outcome
        if self._drawn and (outcome is not None or self._long):
            self._record([1] * len(self.position.seats) if outcome is None else list(outcome.standings))
        if outcome is None:
            return 0.0, False, self._long, {}
        brought = rewards(self.position)
        return brought[seat], True, False, {"rewards": np.array(brought)}

    def _await_turn(self) -> None:
        while self.position.outcome is None and self.position.turn != self.seat and not self._long:
            self.position = follow(self.position.play(self._answer()))

    def _answer(self) -> Move | str:
        """The move of another player."""
        opponent = self._drawn.get(self.position.turn)
        if opponent is None:
            return self._choose(self.position, self._budget)
        action = opponent.policy(self.position)
        move = self.encoding.move(self.position, action)
        if move is None:
            raise ValueError(f"The opponent '{opponent.name}' chose {action}, which is no legal action.")
        return move

    def _record(self, places: list[int]) -> None:
        """Tell the pool the agent's points against each opponent: a game that was truncated is drawn."""
        teams, mine = self.position.rules.teams, places[self._seat]
        for seat, opponent in self._drawn.items():
            if self._pool is not None and teams[seat] != teams[self._seat]:
                self._pool.record(opponent.name, (mine < places[seat]) + 0.5 * (mine == places[seat]))

    @property
    def _long(self) -> bool:
        return self.position.ply - self._first >= self._plies

    def info(self) -> dict[str, Any]:
        """The mask of the agent's actions, and its seat."""
        return {"action_mask": self.encoding.mask(self.position, self.seat), "seat": self.seat}

    def render(self) -> str | None:
        """The board as text, in the mode ``ansi``."""
        return str(self.position) if self.render_mode == "ansi" else None
