"""Pages of runs: the self-contained report, and the live pages for reading and labelling on 127.0.0.1."""
