"""Matches between levels and UCI engines, to measure their strength: `python -m fourfold.clients.bots.arena`."""
