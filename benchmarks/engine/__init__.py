"""The engine by itself: clips, robustness, the best that can be had."""
