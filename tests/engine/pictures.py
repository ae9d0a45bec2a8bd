"""The pictures of engine/VARIANTS.md. `python -m tests.engine.pictures` draws them again."""

from __future__ import annotations

from pathlib import Path

from fourfold.engine import Position, Termination

ENGINE = Path(__file__).parents[2] / "engine"
SIZE = 360


def played(variant: str, moves: str = "", setup: str | None = None) -> Position:
    position = Position.start(variant, setup)
    for move in moves.split():
        position = position.play(move)
    return position


def pictures() -> dict[str, Position]:
    """By file, beside the module with the rule."""
    return {
        "twoplayer/chess960.svg": played("chess960", setup="100"),
        "twoplayer/king_of_the_hill.svg": played("kingofthehill", "e4 a6 Ke2 a5 Ke3 a4 Kd4"),
        "twoplayer/three_check.svg": played("threecheck", "e4 e5 Bc4 Nc6 Bxf7+"),
        "twoplayer/atomic.svg": played("atomic", "Nf3 a6 Ne5 b6 Nxd7"),
        "twoplayer/horde.svg": played("horde"),
        "twoplayer/racing_kings.svg": played("racingkings"),
        "fourplayer/survivor.svg": played("survivor"),
        "fourplayer/en_passant.svg": played("survivor", "h2h4 b7d7 g13g11 m8k8"),
        "fourplayer/walking_king.svg": played("ffa", "h2h4 b7d7 g13g11 m8k8").eliminate(1, Termination.RESIGNATION),
    }


def main() -> None:
    for name, position in pictures().items():
        (ENGINE / name).write_text(position.svg(SIZE) + "\n")


if __name__ == "__main__":
    main()
