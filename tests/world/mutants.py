"""Mutants made by machine: how many of them do seeds find?

    python -m tests.world.mutants [--sample 40] [--seeds 100] [--draw N] [--workers W] [FOLDER ...]

draws mutants of one expression or statement from the functions of folders, and plays seeds with each until one fails.
Each mutant has a process of its own, in which the code of one function is replaced. A mutant that no seed has reached
says something about the players of the worlds; one that was reached and not found, about their checks.
"""

import argparse
import ast
import builtins
import importlib
import json
import multiprocessing
import random
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.pool import ThreadPool
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, Literal, NamedTuple

from tests.world.campaign import judge

ROOT: Final = Path(__file__).parents[2]

FOLDERS: Final = ("server/rooms", "server/replication", "server/storage", "server/lobby", "engine/match")
"""The folders that mutants are drawn from by default."""

NOT_PLAYED: Final = {
    "cluster.py", "disk.py", "embedded.py", "exhibition.py", "imported.py", "interventions.py", "keys.py", "memory.py",
    "redis_node.py", "room_limits.py", "survey.py",
}  # fmt: skip
"""Modules of these folders that no world runs: for Redis Cluster, the embedded store, computers, imports, commands of
operators, backups, and limits per address, of which a world has only one."""

LONGEST: Final = 60
"""Seconds of processor time that a seed takes at most: a mutant may never end."""

REACHED: Final = "__reached__"
"""The name of the built-in list to which a mutated expression adds an element."""

SWAPPED: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
}  # fmt: skip
"""Operators, with those that replace them."""


class Mutant(NamedTuple):
    """A mutant: its file, the qualified name of its function, the number of its place in the file, and its line with
    the change."""

    file: str
    function: str
    place: int
    line: int
    change: str


class Tried(NamedTuple):
    """The outcome of a mutant: `found`, `reached` or `unreached`; the seeds played, and the failure."""

    mutant: Mutant
    outcome: Literal["found", "reached", "unreached"]
    played: int
    told: str


class _Places(ast.NodeTransformer):
    """Numbers the places of a module that can be mutated, and mutates one of them."""

    def __init__(self, chosen: int | None = None) -> None:
        self.found: list[Mutant] = []
        self._chosen = chosen
        self._names: list[str] = []
        self._inside = 0  # functions

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._names.append(node.name)
        node.body = [self.visit(part) for part in node.body]
        self._names.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        if not self._inside:
            self._names.append(node.name)
        self._inside += 1
        node.body = [self.visit(part) for part in node.body]  # neither decorators nor defaults
        self._inside -= 1
        if not self._inside:
            self._names.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if self._inside and node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.body = [self.visit(part) for part in node.body]
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        logged = isinstance(call, ast.Call) and ast.unparse(call.func).startswith("_log.")
        if isinstance(call, ast.Call) and not logged:
            node.value = self._mutate(node, node.value, ast.Constant(None), "None")
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        other = ast.Compare(node.left, [SWAPPED[type(node.ops[0])](), *node.ops[1:]], node.comparators)
        return self._mutate(node, node, other)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        return self._mutate(node, node, ast.BoolOp(SWAPPED[type(node.op)](), node.values))

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        texts = any(isinstance(part, ast.JoinedStr) for part in (node.left, node.right))
        if type(node.op) not in SWAPPED or texts:
            return node
        return self._mutate(node, node, ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return self._mutate(node, node, node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool):
            return self._mutate(node, node, ast.Constant(not node.value))
        if isinstance(node.value, int):
            return self._mutate(node, node, ast.Constant(node.value + 1))
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return self._mutate(node, node, ast.IfExp(node.test, node.orelse, node.body))

    def _mutate(self, at: Any, before: Any, after: Any, text: str | None = None) -> Any:
        """The expression `after`, if this is the chosen place, else `before`."""
        if not self._inside:
            return before
        number = len(self.found)
        change = f"{ast.unparse(before)} -> {text or ast.unparse(after)}"
        self.found.append(Mutant("", ".".join(self._names), number, at.lineno, change))
        if number != self._chosen:
            return before
        mark = ast.parse(f"{REACHED}.append(0)", mode="eval").body
        reached = ast.Compare(mark, [ast.Is()], [ast.Constant(None)])
        return ast.IfExp(reached, after, before)


def mutants(file: str) -> list[Mutant]:
    """All mutants of a file."""
    places = _Places()
    places.visit(ast.parse((ROOT / file).read_text()))
    return [mutant._replace(file=file) for mutant in places.found]


def drawn(folders: list[str], most: int, chance: random.Random) -> list[Mutant]:
    """A sample, with about the same number from each folder."""
    found: list[Mutant] = []
    for number, folder in enumerate(folders):
        files = sorted(path for path in (ROOT / folder).glob("*.py") if path.name not in NOT_PLAYED)
        there = [mutant for path in files for mutant in mutants(str(path.relative_to(ROOT)))]
        share = (most - len(found)) // (len(folders) - number)
        found += chance.sample(there, min(share, len(there)))
    return found


def plant(mutant: Mutant) -> None:
    """Replace the code of the mutant's function in this process."""
    live, code = mutated(mutant)
    live.__code__ = code


def mutated(mutant: Mutant) -> tuple[FunctionType, CodeType]:
    """The mutant's function, and the code that it would have."""
    tree = _Places(mutant.place).visit(ast.parse((ROOT / mutant.file).read_text()))
    compiled = compile(ast.fix_missing_locations(tree), mutant.file, "exec", dont_inherit=True)
    module = importlib.import_module("fourfold." + mutant.file.removesuffix(".py").replace("/", "."))
    live = _function(module, mutant.function)
    where = mutant.function, live.__code__.co_firstlineno
    return live, next(code for code in _codes(compiled) if (code.co_qualname, code.co_firstlineno) == where)


def _function(place: Any, name: str) -> FunctionType:
    """A function by its qualified name, without its decorators."""
    for part in name.split("."):
        place = place.__dict__[part]
    while not isinstance(place, FunctionType) or hasattr(place, "__wrapped__"):
        place = next(inner for attribute in ("__wrapped__", "__func__", "fget", "func")
                     if (inner := getattr(place, attribute, None)) is not None)  # fmt: skip
    return place


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _play(mutant: Mutant, most: int, answer: Connection) -> None:
    """Runs in a process of its own."""
    reached: list[int] = []
    setattr(builtins, REACHED, reached)
    plant(mutant)
    signal.signal(signal.SIGVTALRM, _give_up)
    for seed in range(1, most + 1):
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
        faults = judge(seed).faults
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if faults:
            answer.send(Tried(mutant, "found", seed, faults[0]))
            return
    answer.send(Tried(mutant, "reached" if reached else "unreached", most, ""))


def _give_up(_: int, __: FrameType | None) -> None:
    raise SystemExit("this mutant never ends")


def try_out(mutant: Mutant, most: int) -> Tried:
    """Play seeds with a mutant, until one finds it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_play, args=(mutant, most, there))
    process.start()
    there.close()
    try:
        tried: Tried = here.recv()
    except EOFError:
        tried = Tried(mutant, "found", 0, "the process ended")
    process.join()
    return tried


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.world.mutants", description="Looks for mutants by seeds.")
    parser.add_argument("folders", nargs="*", default=FOLDERS, metavar="FOLDER", help="where they are drawn from")
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="how many mutants (40)")
    parser.add_argument("--seeds", type=int, default=100, metavar="N", help="seeds for each mutant (100)")
    parser.add_argument("--draw", type=int, default=1, metavar="N", help="the number of the sample (1)")
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="processes at the same time (1)")
    arguments = parser.parse_args()
    sample = drawn(list(arguments.folders), arguments.sample, random.Random(arguments.draw))
    outcomes: Counter[str] = Counter()
    numbers = count(1)
    with ThreadPool(arguments.workers) as pool:
        for tried in pool.imap_unordered(lambda mutant: try_out(mutant, arguments.seeds), sample):
            outcomes[tried.outcome] += 1
            where = f"{tried.mutant.file}:{tried.mutant.line} {tried.mutant.function}"
            print(f"{next(numbers):3} {tried.outcome} after {tried.played}: {where}: {tried.mutant.change[:150]}")
            print(f"    {tried.told[:200]}", flush=True)
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main()
