"""BVH files of any dialect.

A file goes in; its skeleton and motion come out, and a clip when recognised.
"""
