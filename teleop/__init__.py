"""Everything that has a clock: devices, loop, controllers, recording, the page.

Rooms from the bottom up: `terms`, `settings`, `safety`, `devices`, `controllers`,
`loop`, `recording`, `viewers`, `sinks`, `session`; beside them `scenarios` and `batch`.
"""
