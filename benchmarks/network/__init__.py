"""Operator and robot on two machines that are namespaces, a userspace line between."""
