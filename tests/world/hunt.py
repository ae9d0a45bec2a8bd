"""Plays seeds until one finds a fault of this server: `python -m tests.world.hunt BLOW MOST PLANS`, where
PLANS is worlds or schedules. Prints the seed (null if none), the number of seeds played, and the failures."""

import json
import sys
from itertools import islice

from tests.world.campaign import judge
from tests.world.plants import PLANS, seeds


def main() -> None:
    """The command."""
    blow, most, planned = sys.argv[1], int(sys.argv[2]), PLANS[sys.argv[3]]
    for played, seed in enumerate(islice(seeds(blow, planned), most), start=1):
        faults = judge(seed, planned=planned).faults
        if faults:
            print(json.dumps([seed, played, faults]))
            return
    print(json.dumps([None, most, []]))


if __name__ == "__main__":
    main()
