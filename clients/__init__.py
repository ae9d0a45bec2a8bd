"""Clients of a Fourfold server, and the parts to write one with; README.md names every module.

They know the rules from `engine` and the messages from `protocol`. They do not import the server.
"""
