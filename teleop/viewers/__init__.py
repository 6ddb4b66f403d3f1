"""Pages that show people and robots; each runs its own clock."""
