"""The bytes of YARP: values, messages and frames, of version 3 and of version 4.

Python values go in and bytes come out, and the other way round; no socket, no clock.
"""

from telexist.robots.yarp.wire.bottle import decode_bottle, encode_bottle
from telexist.robots.yarp.wire.bottle_text import parse_text, print_text
from telexist.robots.yarp.wire.dialect import YARP_3, YARP_4, Dialect
from telexist.robots.yarp.wire.either_dialect import decode_either
from telexist.robots.yarp.wire.envelope import Envelope
from telexist.robots.yarp.wire.frames import (
    ACKNOWLEDGEMENT,
    CARRIERS,
    GOODBYE,
    Frame,
    FrameReader,
    frame,
    handshake,
    handshake_reply,
)
from telexist.robots.yarp.wire.values import (
    FAIL,
    OK,
    Bottle,
    CodedList,
    Dictionary,
    Float32,
    Int8,
    Int16,
    Int64,
    Item,
    Vocab,
    Vocab64,
)

__all__ = [
    "ACKNOWLEDGEMENT",
    "Bottle",
    "CARRIERS",
    "CodedList",
    "Dialect",
    "Dictionary",
    "Envelope",
    "FAIL",
    "Float32",
    "Frame",
    "FrameReader",
    "GOODBYE",
    "Int16",
    "Int64",
    "Int8",
    "Item",
    "OK",
    "Vocab",
    "Vocab64",
    "YARP_3",
    "YARP_4",
    "decode_bottle",
    "decode_either",
    "encode_bottle",
    "frame",
    "handshake",
    "handshake_reply",
    "parse_text",
    "print_text",
]
