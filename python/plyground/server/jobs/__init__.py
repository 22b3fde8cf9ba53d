"""Jobs that outlive a request: tournaments, training runs and reviews."""
