"""Who labels units: a language model that is prompted, or the small one that is embedded."""
