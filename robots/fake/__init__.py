"""A robot without physics, for tests: it goes where it is sent."""
