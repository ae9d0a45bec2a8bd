"""UCI engines as players and analysers, and our levels as a UCI engine."""

from fourfold.clients.bots.uci.driver import Engine, EngineFault

__all__ = ["Engine", "EngineFault"]
