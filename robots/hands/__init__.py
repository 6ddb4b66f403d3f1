"""The hands of a robot, read from its model.

A model goes in; its fingers or jaws come out, as `telexist.retarget.hands` knows them.
"""

from telexist.robots.hands.linkage_of import hand_linkage, hand_links, robot_hands

__all__ = ["hand_linkage", "hand_links", "robot_hands"]
