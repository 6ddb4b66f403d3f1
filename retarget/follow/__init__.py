"""Following a person with a robot, frame by frame, in compiled code."""
