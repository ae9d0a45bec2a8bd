"""`fourfold gateway`: the Bot and Board API of Lichess, for programs that know no other, over our own protocol."""
