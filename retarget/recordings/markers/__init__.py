"""Markers on a person: which is where on the body, and the segments they move.

A `MarkerCapture` of any reader goes in; a `HumanClip` comes out. Known sets of markers
are recognised by their names, others are mapped by a TOML; see `marker_names.py`.
"""

from telexist.retarget.recordings.markers.capture import ForceRecord, MarkerCapture
from telexist.retarget.recordings.markers.clip import (
    MarkedPerson,
    clip_from_markers,
    person_from_markers,
)
from telexist.retarget.recordings.markers.marker_names import known_roles

__all__ = [
    "ForceRecord",
    "MarkedPerson",
    "MarkerCapture",
    "clip_from_markers",
    "known_roles",
    "person_from_markers",
]
