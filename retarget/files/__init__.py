"""Files that are whole or not at all: written atomically, read with suspicion.

Bytes go in and appear under their name only when complete; archives of strangers come
out as arrays of stated kinds and sizes.
"""

from telexist.retarget.files.archive import read_arrays
from telexist.retarget.files.atomic import write_bytes

__all__ = ["read_arrays", "write_bytes"]
