"""Words of a record that speak to its judge: found by shape and by a learned weight per word."""
