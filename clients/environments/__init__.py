"""Environments for reinforcement learning: `aec` for PettingZoo, `single` and `vector` for Gymnasium, `spiel` for
OpenSpiel. They need the extra `env`; `spiel` also needs `open_spiel`.

`encoding` defines observations and actions, `policies` has our levels, and `pool` collects opponents. `ids` registers
the environments with Gymnasium, if it is installed. README.md beside this file has examples.
"""

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    from fourfold.clients.environments import ids as ids

__all__ = ["aec", "encoding", "policies", "pool", "single", "vector"]
"""The modules for documentation tools, without `spiel`, whose import needs `open_spiel`."""
