"""From an operator in N-pose to a profile."""
