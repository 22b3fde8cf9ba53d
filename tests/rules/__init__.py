"""Tests of the game rules."""
