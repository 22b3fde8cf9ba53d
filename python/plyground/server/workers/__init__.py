"""Worker processes for Python code that may block: user games, agents in plain Python and Python evaluators."""
