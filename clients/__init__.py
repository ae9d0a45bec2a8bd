"""Clients of a Fourfold server, and the parts to write your own. README.md lists every module.

The rules come from `fourfold.engine`, and the messages from `fourfold.protocol`. No client imports the server.
"""
