"""Devices from the words of the command line."""
