"""Commands for operators, on the store and the archive, while servers use them."""
