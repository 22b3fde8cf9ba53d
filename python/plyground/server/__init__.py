"""HTTP and WebSocket server of the web UI.

Each folder is one feature with its routes, service and API models. Imports point one way:
security, positions, workers, search, catalog, play, library, jobs, socket; `services.py` wires them, and `app.py`
serves them.
"""
