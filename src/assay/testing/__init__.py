"""A scripted chat server with faults, for tests of your own. Nothing in here is imported by the rest of the package."""
