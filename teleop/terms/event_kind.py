"""What happens in a session besides faults, where the program itself acts on it."""

from __future__ import annotations

import enum

__all__ = ["EventKind"]


class EventKind(enum.StrEnum):
    """Kinds of events that change a state, answer a request, or end a silence."""

    ESTOP = "estop"  # somebody asked for the emergency stop
    HOLD = "hold"
    RESET = "reset"
    ENGAGE = "engage"
    ACTIVE = "active"  # the robot has reached the operator's pose
    STATE = "state"  # the state changed by itself
    CALIBRATE = "calibrate"  # a calibration was asked for
    CALIBRATED = "calibrated"
    CALIBRATION_REFUSED = "calibration_refused"
    REFUSED_REQUEST = "refused_request"
    RETURN = "return"  # nobody engaged: back to neutral
    NO_SAMPLES = "no_samples"  # a device has not spoken yet
    DEVICE_BACK = "device_back"
    BUTTONS_AWAY = "buttons_away"  # as a fault of buttons, but others can be pressed
    DYNAMICS = "dynamics"  # what was found of the person, and of force sensors
