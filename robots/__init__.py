"""What a robot is, and how to reach it."""
