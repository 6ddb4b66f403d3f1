"""Landmarks of cameras: MediaPipe Pose and COCO keypoints in space, JSON and CSV.

A path goes in; a clip comes out. Two-dimensional keypoints are refused.
"""

from telexist.retarget.recordings.landmarks.read_landmarks import (
    read_landmark_json,
    read_landmark_table,
)

__all__ = ["read_landmark_json", "read_landmark_table"]
