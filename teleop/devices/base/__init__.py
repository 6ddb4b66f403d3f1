"""What every input device gives, how it is asked, and the table of them."""

from telexist.teleop.devices.base.differences import FrameBuilder
from telexist.teleop.devices.base.drop_text import drop_text
from telexist.teleop.devices.base.filled_segments import fill_segments
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.jpeg import decode_jpeg, encode_jpeg
from telexist.teleop.devices.base.mailbox import Mailbox, merge_samples
from telexist.teleop.devices.base.options import (
    DeviceOptions,
    parse_endpoint,
    split_query,
    whole_option,
)
from telexist.teleop.devices.base.peer_clock import PeerClock
from telexist.teleop.devices.base.plausible_body import (
    MAX_ANGULAR_SPEED,
    MAX_DISTANCE,
    MAX_SPEED,
    limb_length,
    metres_per_unit,
    require_body,
    require_finite,
    require_speeds,
    require_unit_quaternions,
)
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.base.sample_counter import SampleCounter, SequenceVerdict
from telexist.teleop.devices.base.source_clock import SourceClock
from telexist.teleop.devices.base.table import device_kind, make_device
from telexist.teleop.devices.base.traits import DeviceTraits, KnownOperator
from telexist.teleop.devices.base.unity_axes import from_unity, to_unity
from telexist.teleop.devices.base.worker import Worker

__all__ = [
    "Device",
    "DeviceOptions",
    "DeviceTraits",
    "FrameBuilder",
    "KnownOperator",
    "MAX_ANGULAR_SPEED",
    "MAX_DISTANCE",
    "MAX_SPEED",
    "Mailbox",
    "PeerClock",
    "RefusedMessage",
    "SampleCounter",
    "SequenceVerdict",
    "SourceClock",
    "Worker",
    "decode_jpeg",
    "device_kind",
    "drop_text",
    "encode_jpeg",
    "fill_segments",
    "from_unity",
    "limb_length",
    "make_device",
    "merge_samples",
    "metres_per_unit",
    "parse_endpoint",
    "require_body",
    "require_finite",
    "require_speeds",
    "require_unit_quaternions",
    "split_query",
    "to_unity",
    "whole_option",
]
