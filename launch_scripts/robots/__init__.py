"""`telexist robots`: list, draft and check."""
