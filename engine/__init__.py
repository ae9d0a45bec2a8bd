"""The rules of chess for two and for four, and nothing else: no network, no clock, no chance.

`variants.opening` gives the position that a game begins with, `position.Position` is what one can ask and play,
`match` puts seats, clocks and votes around it. README.md begins with a game in twenty lines and names every module.
"""
