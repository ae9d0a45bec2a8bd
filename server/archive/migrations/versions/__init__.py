"""Each migration once; a later one names the one before it."""
