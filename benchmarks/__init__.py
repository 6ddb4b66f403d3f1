"""What is measured, as ratios."""
