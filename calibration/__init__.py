"""N-pose or T-pose capture: raw frames of a person in, an operator's profile out."""

from telexist.calibration.capture import Capture, CapturePhase, CaptureStatus
from telexist.calibration.operator_folder import (
    operator_names,
    operators_folder,
    profile_path,
)
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import load_profile, profile_text, save_profile
from telexist.calibration.profile_versions import replace_profile
from telexist.calibration.source_traits import ALIGNED, WORN, SourceTraits
from telexist.calibration.standing_pose import POSES

__all__ = [
    "ALIGNED",
    "Capture",
    "CapturePhase",
    "CaptureStatus",
    "OperatorProfile",
    "POSES",
    "SourceTraits",
    "WORN",
    "load_profile",
    "operator_names",
    "operators_folder",
    "profile_path",
    "profile_text",
    "replace_profile",
    "save_profile",
]
