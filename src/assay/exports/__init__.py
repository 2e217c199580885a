"""Runs sent to other tools. `assay runs export` loads the module of a target when it is named."""
