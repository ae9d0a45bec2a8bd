"""Lists of ratings from games of the arena: `python -m fourfold.clients.bots.ratinglist`."""
