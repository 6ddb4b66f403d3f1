"""Libraries whose IK step is compared, each behind the same small protocol."""
