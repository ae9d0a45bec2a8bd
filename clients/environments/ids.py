"""Gymnasium's ids of our environments: ``Fourfold/ffa-v0``, with `Fourfold/` and the name of any variant.

Importing `fourfold.clients.environments` registers them:

>>> import fourfold.clients.environments, gymnasium
>>> env = gymnasium.make("Fourfold/ffa-v0", level=2)
>>> envs = gymnasium.make_vec("Fourfold/ffa-v0", num_envs=8)
"""

from __future__ import annotations

from gymnasium.envs.registration import register

from fourfold.engine.variants import VARIANTS

for _variant in VARIANTS:
    register(
        f"Fourfold/{_variant}-v0",
        entry_point="fourfold.clients.environments.single:FourfoldEnv",
        vector_entry_point="fourfold.clients.environments.vector:FourfoldVectorEnv",
        kwargs={"variant": _variant},
    )
