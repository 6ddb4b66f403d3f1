"""Named, seeded runs of a controlled robot in simulation, without screen or clock."""
