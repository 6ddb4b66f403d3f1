"""Simulators of devices that speak the real protocols, and a proxy that adds faults."""
