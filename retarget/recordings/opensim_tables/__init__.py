"""OpenSim's tables (`.mot`, `.sto`): columns over time, and the forces in them.

A path goes in; a `Table` or a `ForceRecord` comes out.
"""

from telexist.retarget.recordings.opensim_tables.ground_forces import ground_forces
from telexist.retarget.recordings.opensim_tables.table import StorageTable, read_table

__all__ = ["StorageTable", "ground_forces", "read_table"]
