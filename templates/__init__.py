"""Jinja templates of the first-party plugins; data, no code."""
