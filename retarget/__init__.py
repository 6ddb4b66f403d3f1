"""Pure retargeting engine: human motion in, robot motion out."""
