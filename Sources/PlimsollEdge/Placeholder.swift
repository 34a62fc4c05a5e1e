// Made whole by the commits that follow.
