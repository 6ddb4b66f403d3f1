"""The engine: data in, data out. No clock, device, network or print.

The modules at this level are the foundation on which all rooms stand, and are imported
by name (`from telexist.retarget.so3 import log_so3`); every folder has a door.
"""
