"""A judge that needs no key and no network: alignment, deterministic checks and a small pair model, calibrated."""
