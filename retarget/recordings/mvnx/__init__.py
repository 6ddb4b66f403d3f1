"""MVNX files of Xsens.

A file goes in; a clip comes out, with the person's own size.
"""

from telexist.retarget.recordings.mvnx.body import TIP_POINTS, find_body

__all__ = ["TIP_POINTS", "find_body"]
