"""One dimension of quality, which the record names and defines."""
