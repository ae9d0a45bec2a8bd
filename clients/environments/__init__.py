"""Environments for reinforcement learning: `aec` for PettingZoo, `single` and `vector` for Gymnasium, `spiel` for
OpenSpiel. They need the extra `env`; `spiel` also needs `open_spiel`.

`encoding` defines observations and actions, and `policies` has our levels. README.md beside this file has examples.
"""

__all__ = ["aec", "encoding", "policies", "single", "vector"]
"""The modules for documentation tools, without `spiel`, whose import needs `open_spiel`."""
