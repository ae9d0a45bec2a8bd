"""The tree of a chapter's moves: which move follows which. It does not know what a move is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, Protocol, TypeAlias, TypeVar


class Numbered(Protocol):
    """A move with its `number`, and that of the move before it (`parent`); both are 0 for the start.

    The nodes of the engine and those of the protocol's messages implement it: servers and clients use the same tree.
    """

    @property
    def number(self) -> int: ...

    @property
    def parent(self) -> int: ...


_Node = TypeVar("_Node", bound=Numbered)

Nodes: TypeAlias = Mapping[int, _Node]
"""The moves by number."""

Children: TypeAlias = Mapping[int, tuple[int, ...]]
"""By move: the numbers of the moves directly after it, the main line first. Moves that nothing follows are left out."""


class Tree(Generic[_Node]):
    """Moves by number, and what follows each. The mappings never change: changes return others."""

    __slots__ = ()

    nodes: Nodes[_Node]
    children: Children

    def path(self, number: int) -> list[int]:
        """The numbers of the moves from the start to a move, itself included; empty for the start."""
        path = []
        while number:
            path.append(number)
            number = self.nodes[number].parent
        path.reverse()
        return path

    def follows(self, number: int) -> tuple[int, ...]:
        """The numbers of the moves directly after a move, the main line first."""
        return self.children.get(number, ())

    def is_main(self, number: int) -> bool:
        """Whether a move is the first child of its parent. True for the start."""
        return not number or self.children[self.nodes[number].parent][0] == number

    def below(self, number: int) -> list[int]:
        """The numbers of a move and all its descendants, parents first."""
        found = [number]
        for one in found:
            found.extend(self.follows(one))
        return found

    def nesting(self, number: int) -> int:
        """The number of variations that contain a move."""
        return sum(not self.is_main(one) for one in self.path(number))

    def added(self, node: _Node) -> tuple[Nodes[_Node], Children]:
        """The moves with one more, which is the last child of its parent."""
        children = {**self.children, node.parent: (*self.follows(node.parent), node.number)}
        return {**self.nodes, node.number: node}, children

    def removed(self, number: int) -> tuple[Nodes[_Node], Children]:
        """The moves without one and everything after it."""
        gone, parent = {*self.below(number)}, self.nodes[number].parent
        children = {one: follow for one, follow in self.children.items() if one not in gone}
        children[parent] = tuple(one for one in children[parent] if one != number)
        if not children[parent]:
            del children[parent]
        return {one: node for one, node in self.nodes.items() if one not in gone}, children

    def promoted(self, number: int) -> Children:
        """What follows each move, with a move as the first child of its parent."""
        parent = self.nodes[number].parent
        others = (one for one in self.follows(parent) if one != number)
        return {**self.children, parent: (number, *others)}


def children_of(nodes: Iterable[Numbered]) -> Children:
    """What follows each of some moves. The first child of a parent continues its main line."""
    children: dict[int, tuple[int, ...]] = {}
    for node in nodes:
        if node.number:
            children[node.parent] = (*children.get(node.parent, ()), node.number)
    return children
