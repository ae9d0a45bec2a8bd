"""Limits: which connections are accepted, and how often something may be done."""
