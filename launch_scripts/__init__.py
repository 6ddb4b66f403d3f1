"""The telexist command."""
