"""Who labels units: models, recordings, later people and an embedded model."""
