"""Example user games. Each module registers its game when it is imported."""
