"""The WebSocket of a browser tab: subscriptions, analyses and their reports."""
