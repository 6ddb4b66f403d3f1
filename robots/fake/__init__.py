"""A robot without physics, for tests: it goes where it is sent."""

from telexist.robots.fake.make import make

__all__ = ["make"]
