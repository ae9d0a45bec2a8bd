"""The browser client: static files that the server reads as data and hands out. No Python of its own."""
