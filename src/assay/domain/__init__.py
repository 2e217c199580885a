"""The vocabulary of Assay as frozen types; standard library only."""
