"""What the server says and is told, in the one place: every shape of the API, from which the page's types are made."""
