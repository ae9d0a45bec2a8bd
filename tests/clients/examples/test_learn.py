"""The learning example plays, learns from its games, and is the same after saving and loading."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.engine import Position

learn = pytest.importorskip("fourfold.clients.examples.learn")  # skips with its advice if numpy is missing
np = pytest.importorskip("numpy")


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["threecheck", "ffa"])
def test_it_learns_from_a_game(variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "PLIES", 24)
    net = learn.Net(variant)
    seen, worth = learn.study(net)
    assert len(seen) == len(worth) == 24 and all(-1 <= one <= 1 for one in worth)
    target = np.full(len(seen), 0.5, np.float32)
    before = net.values(seen)
    for _ in range(40):
        net.learn(seen, target)
    assert abs(net.values(seen) - target).mean() < 0.2 < abs(before - target).mean()
    net.save(tmp_path / "net.npz")
    again = learn.Net.load(tmp_path / "net.npz")
    assert again.variant == variant and (again.values(seen) == net.values(seen)).all()
    position = Position.start(variant)
    assert again.choose(position)[0] == net.choose(position)[0]


def test_it_takes_what_ends_the_game() -> None:
    mate = Position.from_fen("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    assert learn.Net("standard").choose(mate)[0].outcome is not None


@pytest.mark.campaign
@pytest.mark.timeout(1200)
def test_it_beats_level_1_after_a_minute() -> None:
    net = learn.Net("standard")
    assert learn.train(net, 60) > 20  # games; 100 to 300 on an idle machine
    points, error = learn.share(net, 30)
    assert points - error > 0.5
