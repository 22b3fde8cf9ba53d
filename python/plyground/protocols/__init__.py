"""Protocols that let other programs use the agents: UCI, the protocol of chess GUIs."""
