"""Following a person of whom only head, hands and perhaps a few trackers are seen."""
