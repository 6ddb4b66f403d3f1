"""What is measured, as ratios within one run; tables in README.md."""
