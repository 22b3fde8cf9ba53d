"""The page's server: games of visitors, searches that can be watched, reviews, tournaments and training."""
