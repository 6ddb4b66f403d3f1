"""Data sets: build, look through, select, split."""
