"""Latency, memory and control steps of whole sessions."""
