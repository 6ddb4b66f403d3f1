"""A partner's help: the thesis' figures, as printed and as corrected."""
