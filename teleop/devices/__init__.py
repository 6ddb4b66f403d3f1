"""Input devices: adapters for what moves the robot, and simulators of them."""
