"""The catalog: available games, levels and agents, and the limits of the server."""
