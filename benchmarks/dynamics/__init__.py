"""The dynamics of a person: exactness, time, what the base and the covariances do."""
