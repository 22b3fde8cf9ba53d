"""HTTP and WebSocket server of the web UI.

Each folder is one feature with its routes, service and API models. A folder may import from those before it in this
list: security, positions, workers, search, catalog, play, library, jobs, socket. `services.py` creates and connects the
services, and `app.py` serves the routes.
"""
