"""The live pages: runs, records, comparisons and labelling, from the store to a browser on the same machine."""
