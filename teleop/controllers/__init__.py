"""Controllers: from joint references to what the joints are told."""
