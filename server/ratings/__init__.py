"""Rating mathematics: estimates players' strength from the results of their games. Pure."""
