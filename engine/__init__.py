"""The rules of chess for two and for four, and nothing else: no network, no clock, no chance.

Read it from the top down; each module knows only those before it.

1. `geometry`: the shape of a board. `pieces`: kinds of pieces and their steps. `errors`, `outcome`: what
   can be wrong, and how games end. `zobrist`: numbers to hash positions by. `values`: classes that never change.
2. `rules`: the one record in which variants differ.
3. `moves`: what a move is. `attacks`: who attacks a square. `tables`: both, for every piece on every square,
   made once for each variant. `board`: what stands where in the middle of a game.
4. `movegen`: the legal moves. `setup`: what may be written down. `coordinates`: how moves are typed, and what
   is said of those that cannot be made. `position`: a position and the next one.
   `questions`: what a client asks of it. `castling`: how people write that move.
5. `twoplayer` and `fourplayer`: what is particular to each: notations, draws, eliminations, presets.
6. `variants`: the presets by name, and `opening`, with which every game begins. `perft`: the proof.
7. `editor`: positions put together by hand. `notation`: whole games as text.

Above these stands `match`: seats, clocks and votes around a position.
"""
