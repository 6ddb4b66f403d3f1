"""Everything that has a clock."""
