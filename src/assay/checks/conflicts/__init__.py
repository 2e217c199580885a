"""Where a claim says something else than the passage it is about, told by rule and with both places shown."""
