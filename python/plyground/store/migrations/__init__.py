"""Migrations of the tables, in `versions`."""
