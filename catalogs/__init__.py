"""Catalogue files of the first-party plugins; data, no code."""
