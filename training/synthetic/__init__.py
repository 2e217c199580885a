"""Short texts of our own making, clinical and commercial, where public pairs hold few doses, prices or ratings."""
