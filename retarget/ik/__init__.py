"""Inverse kinematics: targets and limits in, velocities out."""
