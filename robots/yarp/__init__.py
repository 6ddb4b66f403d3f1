"""Robots behind YARP: iCub, ergoCub and whatever else publishes control boards.

Joint commands go in, degrees go out to the boards' ports, and their state comes back;
no library of YARP is needed. Nothing outside this folder knows ports or degrees.
"""
