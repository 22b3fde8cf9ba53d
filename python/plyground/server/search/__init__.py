"""Searches: the pool that runs them, the players that use them, and their results as API models."""
