"""Middleware that checks every request: visitor token, host, origin, rate and size."""
