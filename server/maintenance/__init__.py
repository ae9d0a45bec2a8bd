"""What who runs the servers does with the store and the archive, beside the servers that use them."""
