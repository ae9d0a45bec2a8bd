"""Environments for programs that learn: `aec` for PettingZoo, `single` for Gymnasium, `spiel` for OpenSpiel. They need
`fourfold[env]`, the last `open_spiel` too.

`encoding` says what an agent sees and how its moves are numbered, `policies` are our levels. README.md beside this file
shows them in use.
"""
