"""The `telexist` command: one thin file a sub-command."""
