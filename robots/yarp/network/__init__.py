"""Talking YARP over sockets: the name server, ports of our own, and those of others.

Names go in and are found; messages go out and come in. Nothing here knows robots.
"""

from telexist.robots.yarp.network.contact import Contact, local_address
from telexist.robots.yarp.network.input_port import InputPort
from telexist.robots.yarp.network.name_client import NameClient, name_server_address
from telexist.robots.yarp.network.output import Output
from telexist.robots.yarp.network.port import Port
from telexist.robots.yarp.network.port_link import PortLink
from telexist.robots.yarp.network.port_session import PortSession, SessionOwner

__all__ = [
    "Contact",
    "InputPort",
    "NameClient",
    "Output",
    "Port",
    "PortLink",
    "PortSession",
    "SessionOwner",
    "local_address",
    "name_server_address",
]
