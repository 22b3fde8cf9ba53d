"""Games of one's own, to read and to begin from. Each module registers its game when it is imported."""
