"""Plug-ins for Telexist: one small file each."""
