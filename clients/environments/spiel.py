"""OpenSpiel games of all variants. Importing this module registers them.

    import pyspiel
    from fourfold.clients.environments import spiel

    state = pyspiel.load_game("fourfold_teams").new_initial_state()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from fourfold.clients.environments.encoding import PLIES, VERSION, encoding_of, follow, rewards
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS


class FourfoldState(pyspiel.State):  # type: ignore[misc]
    """A game in progress; `position` is the engine's."""

    def __init__(self, game: Any, variant: str, plies: int, seed: int) -> None:
        super().__init__(game)
        self._plies = plies
        self.position = follow(Position.start(variant, seed=seed))

    def current_player(self) -> int:
        """The seat to move."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.turn

    def _legal_actions(self, player: int) -> list[int]:
        encoding = encoding_of(self.position.variant)
        return sorted(encoding.action(self.position, move) for move in self.position.legal_moves)

    def _apply_action(self, action: int) -> None:
        move = encoding_of(self.position.variant).move(self.position, action)
        if move is None:
            raise ValueError(f"{action} is no legal action: take one of legal_actions().")
        self.position = follow(self.position.play(move))

    def _action_to_string(self, player: int, action: int) -> str:
        move = encoding_of(self.position.variant).move(self.position, action)
        return str(action) if move is None else self.position.san(move)

    def is_terminal(self) -> bool:
        """Whether the game is over, or as long as it may be."""
        return self.position.outcome is not None or self.position.ply >= self._plies

    def returns(self) -> list[float]:
        """What the game was worth to each seat; 0 while it goes on."""
        return rewards(self.position)

    def __str__(self) -> str:
        return self.position.fen()


class _Observer:
    """Sees the planes of `encoding`, and the FEN."""

    def __init__(self, variant: str) -> None:
        self._encoding = encoding_of(variant)
        self.tensor = np.zeros(int(np.prod(self._encoding.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._encoding.shape)}

    def set_from(self, state: FourfoldState, player: int) -> None:
        """Look at a state as a player."""
        self.dict["observation"][:] = self._encoding.see(state.position, player)

    def string_from(self, state: FourfoldState, player: int) -> str:
        """The state as a text."""
        return state.position.fen()


def _game(variant: str) -> tuple[Any, Callable[..., Any]]:
    """The type of a variant's game, and the class of it."""
    rules = VARIANTS[variant]
    seats = len(rules.seats)
    kind = pyspiel.GameType(
        short_name=f"fourfold_{variant}",
        long_name=f"Fourfold: {rules.title} (version {VERSION})",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"plies": PLIES, "seed": 0},
    )

    class Game(pyspiel.Game):  # type: ignore[misc]
        """A variant. Its parameter `plies` is the length of the longest game; `seed` draws the array where the variant
        does, and decides how dead kings walk."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            self._longest = int((params or {}).get("plies", PLIES))
            self._seed = int((params or {}).get("seed", 0))
            info = pyspiel.GameInfo(
                num_distinct_actions=encoding_of(variant).actions,
                max_chance_outcomes=0,
                num_players=seats,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self._longest,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> FourfoldState:
            return FourfoldState(self, variant, self._longest, self._seed)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            return _Observer(variant)

    return kind, Game


for _variant in VARIANTS:
    pyspiel.register_game(*_game(_variant))
