"""Runs of fernjax elsewhere: one description, five places. No JAX."""
