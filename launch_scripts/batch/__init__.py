"""Many clips on many robots: found, planned, run on all cores and summed up."""
