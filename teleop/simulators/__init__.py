"""Simulators of input devices, which speak the devices' own bytes."""
