"""A typical player for Lichess, written with its library berserk. It moves at random.

    python berserk_player.py URL TOKEN (bot|board) [--challenge NAME | --seek] [--then ACT ...]

It accepts every challenge, and continues after every failure. With `--challenge` or `--seek` it starts one game itself.
Each ACT, such as `takeback:2`, is done once, after that many of its moves: hello, takeback, draw or resign. It prints
its actions, one per line.

It runs in a separate environment with berserk, and imports nothing of this project.
"""

import argparse
import random
import threading
import time

import berserk
import chess
from berserk.exceptions import ApiError, ResponseError
from requests import RequestException

FAULTS = (ApiError, ResponseError, RequestException)
"""The errors of berserk when a request is refused, or when the other end is away."""

PAUSE = 0.3
"""Seconds before it retries."""


class Player:
    """One player, whose games run in threads."""

    def __init__(self, url: str, token: str, api: str, acts: list[str]) -> None:
        session = berserk.TokenSession(token)
        session.request = _patient(session.request)
        self.client = berserk.Client(session, base_url=url)
        self.board = api == "board"
        self.api = self.client.board if self.board else self.client.bots
        self.acts = [(kind, int(after)) for kind, _, after in (act.partition(":") for act in acts)]
        self.name = ""
        self.playing: set[str] = set()

    def run(self, challenge: str | None, seek: bool) -> None:
        """Play for ever."""
        self.name = self._insist(self.client.account.get)["username"]
        threading.Thread(target=self._begin, args=(challenge, seek), daemon=True).start()
        while True:
            try:
                for event in self.api.stream_incoming_events():
                    self._hear(event)
            except FAULTS as error:
                say("again", type(error).__name__)
            time.sleep(PAUSE)

    def _begin(self, challenge: str | None, seek: bool) -> None:
        if challenge:
            self.client.challenges.create(challenge, rated=False, clock_limit=300, clock_increment=2, color="black")
        elif seek:
            self.client.board.seek(5, 2)

    def _hear(self, event: dict) -> None:
        if event["type"] == "challenge" and event["challenge"]["challenger"]["name"] != self.name:
            try:
                self.client.challenges.accept(event["challenge"]["id"])
            except FAULTS as error:
                say("not accepted", event["challenge"]["id"], error)
        elif event["type"] == "gameStart" and event["game"]["gameId"] not in self.playing:
            game = event["game"]["gameId"]
            self.playing.add(game)
            threading.Thread(target=self._play, args=(game,), daemon=True).start()

    def _play(self, game: str) -> None:
        say("plays", game)
        left = list(self.acts)
        while True:
            try:
                if self._follow(game, left):
                    break
            except ResponseError as error:
                say("refused", game, error)
                if error.status_code == 404:
                    break  # it has not begun, and never will
            except FAULTS as error:
                say("again", type(error).__name__)
            time.sleep(PAUSE)
        self.playing.discard(game)
        say("over", game)

    def _follow(self, game: str, left: list[tuple[str, int]]) -> bool:
        """Follow a game; returns whether it is over."""
        color, variant, start = "white", "Standard", "startpos"
        answered = moved = None
        for line in self.api.stream_game_state(game):
            if line["type"] == "gameFull":
                color = "white" if line["white"].get("name") == self.name else "black"
                variant, start = line["variant"]["name"], line["initialFen"]
                state = line["state"]
            elif line["type"] == "gameState":
                state = line
            else:
                continue
            if state["status"] not in ("started", "created"):
                return True
            if self.board:
                other = "b" if color == "white" else "w"
                asks = [kind for kind in ("takeback", "draw") if state.get(f"{other}{kind}")]
                if asks and answered != (state["moves"], asks):
                    answered = state["moves"], asks
                    if "takeback" in asks:
                        self.client.board.accept_takeback(game)
                        continue
                    self.client.board.decline_draw(game)
            if moved != state["moves"]:
                moved = state["moves"]
                self._move(game, color, moved.split(), _board(variant, start), left)
        return False

    def _move(self, game: str, color: str, moves: list[str], board: chess.Board, left: list[tuple[str, int]]) -> None:
        for move in moves:
            board.push_uci(move)
        if board.turn != (color == "white") or board.is_game_over():
            return
        made = (len(moves) + (color == "white")) // 2
        for kind, after in [act for act in left if act[1] <= made]:
            left.remove((kind, after))
            self._act(game, kind)
            if kind in ("takeback", "resign"):
                return  # its answer brings the next state
        move = random.choice(list(board.legal_moves)).uci()
        self.api.make_move(game, move)
        say("moved", game, len(moves), move)

    def _act(self, game: str, kind: str) -> None:
        if kind == "hello":
            self.api.post_message(game, "Hello, I am a berserk script.")
        elif kind == "takeback":
            self.client.board.offer_takeback(game)
        elif kind == "draw":
            self.client.board.offer_draw(game)
        else:
            self.api.resign_game(game)
        say("did", kind, game)

    def _insist(self, request):
        while True:
            try:
                return request()
            except FAULTS:
                time.sleep(PAUSE)


def _patient(request):
    """A silent connection is lost after a while; by default, requests would wait for ever."""
    return lambda *args, **how: request(*args, **{"timeout": (5, 15), **how})


def _board(variant: str, start: str) -> chess.Board:
    if start == "startpos":
        return chess.Board()
    return chess.Board(start, chess960=variant == "Chess960")


def say(*words: object) -> None:
    """Print a whole line at once, because several games print."""
    print(" ".join(map(str, words)) + "\n", end="", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("token")
    parser.add_argument("api", choices=["bot", "board"])
    parser.add_argument("--challenge")
    parser.add_argument("--seek", action="store_true")
    parser.add_argument("--then", nargs="*", default=[])
    given = parser.parse_args()
    Player(given.url, given.token, given.api, given.then).run(given.challenge, given.seek)


if __name__ == "__main__":
    main()
