"""The library of stored games: search, import, tags, share links."""
