"""Quadratic programmes and their solvers."""
