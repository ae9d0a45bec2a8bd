"""Plays seeds until one finds a fault of this server: `python -m tests.world.hunt BLOW MOST`. Prints the seed (null if
none), the number of seeds played, and the failures."""

import json
import sys
from itertools import islice

from tests.world.campaign import judge
from tests.world.plants import seeds


def main() -> None:
    """The command."""
    blow, most = sys.argv[1], int(sys.argv[2])
    for played, seed in enumerate(islice(seeds(blow), most), start=1):
        faults = judge(seed).faults
        if faults:
            print(json.dumps([seed, played, faults[0]]))
            return
    print(json.dumps([None, most, ""]))


if __name__ == "__main__":
    main()
