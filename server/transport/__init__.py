"""Sockets and HTTP: connections, frames, and the files of the browser client."""
