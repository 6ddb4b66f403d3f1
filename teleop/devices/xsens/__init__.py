"""Xsens MVN's network streamer: datagrams in, frames out."""

from telexist.teleop.devices.xsens.make import make
from telexist.teleop.devices.xsens.mxtp import (
    HEADER_SIZE,
    ITEM_SIZES,
    Header,
    Items,
    build_items,
    build_message,
    message_length,
    parse_header,
    parse_items,
)
from telexist.teleop.devices.xsens.mxtp_character import (
    ScalePoint,
    build_meta,
    build_scale,
)
from telexist.teleop.devices.xsens.mxtp_pose import MvnBody, read_body, write_body
from telexist.teleop.devices.xsens.xsens_stream import XSENS_PORT, XsensStream

__all__ = [
    "HEADER_SIZE",
    "Header",
    "ITEM_SIZES",
    "Items",
    "MvnBody",
    "ScalePoint",
    "XSENS_PORT",
    "XsensStream",
    "build_items",
    "build_message",
    "build_meta",
    "build_scale",
    "make",
    "message_length",
    "parse_header",
    "parse_items",
    "read_body",
    "write_body",
]
