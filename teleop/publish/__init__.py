"""What a session shows to programs of others while it runs: ticks in, messages out.

On YARP, in IIT's own messages: the operator as a suit, as a model's joints, torques and
wrenches; where to walk; frames. Publishing never holds up the loop and moves nothing.
"""

from telexist.teleop.publish.make import make_publisher, open_publishers
from telexist.teleop.publish.yarp_publisher import YarpPublisher

__all__ = ["YarpPublisher", "make_publisher", "open_publishers"]
