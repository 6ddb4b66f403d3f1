"""Pages in the browser: `live` for sessions, `clip` for results."""
