"""Files that are whole or not at all: written atomically, read with suspicion.

Bytes go in and appear under their name only when complete; archives and pickles of
strangers come out as arrays of stated kinds and sizes, and no code of theirs is run.
"""

from telexist.retarget.files.archive import read_arrays
from telexist.retarget.files.atomic import write_bytes
from telexist.retarget.files.bounded_file import BoundedFile
from telexist.retarget.files.pickle_values import PickledObject
from telexist.retarget.files.pickled_arrays import array_in, read_pickled_tree
from telexist.retarget.files.torch_archive import read_torch

__all__ = [
    "BoundedFile",
    "PickledObject",
    "array_in",
    "read_arrays",
    "read_pickled_tree",
    "read_torch",
    "write_bytes",
]
