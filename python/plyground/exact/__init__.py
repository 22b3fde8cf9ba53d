"""Exact values: endgame tables and solvers."""
