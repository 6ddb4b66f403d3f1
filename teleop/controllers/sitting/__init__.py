"""Between a seat and standing: phases that wait for forces, and the way back.

What is felt goes in, at hands, feet and thighs; what the whole body is asked comes out.
"""

from telexist.teleop.controllers.sitting.sit_felt import SitFelt
from telexist.teleop.controllers.sitting.sit_way import SitWay, SitWays, find_ways
from telexist.teleop.controllers.sitting.sitting import SeatSettings, Sitting

__all__ = ["SeatSettings", "SitFelt", "SitWay", "SitWays", "Sitting", "find_ways"]
