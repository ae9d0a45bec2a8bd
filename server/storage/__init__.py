"""The event log and the store that keeps it: Redis or Valkey, a cluster, or the embedded store."""
