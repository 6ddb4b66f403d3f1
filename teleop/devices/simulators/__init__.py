"""Devices that are not here, in their real protocol, with faults if asked."""
