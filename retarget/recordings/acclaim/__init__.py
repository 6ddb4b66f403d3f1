"""Acclaim's pair of files: a skeleton (.asf) and its motion (.amc), as CMU gives them.

An AMC file goes in, its ASF is found beside it; a clip comes out when a person is
recognised.
"""

from telexist.retarget.recordings.acclaim.read_amc import read_amc

__all__ = ["read_amc"]
