"""Operator and robot on two machines: any device there, one device here.

On the robot's side `RemoteSource` is a device like all others; on the operator's side
`OperatorSide` reads devices and tells them. Between them are mutual TLS for requests
and state, and sealed datagrams for samples.
"""

from telexist.teleop.devices.remote.identity import Identity
from telexist.teleop.devices.remote.make import PORT, make, own_identity
from telexist.teleop.devices.remote.operator_side import OperatorSide
from telexist.teleop.devices.remote.pair_with import pair_with
from telexist.teleop.devices.remote.remote_source import RemoteSource

__all__ = [
    "Identity",
    "OperatorSide",
    "PORT",
    "RemoteSource",
    "make",
    "own_identity",
    "pair_with",
]
