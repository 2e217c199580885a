"""Pure arithmetic from labels to scores."""
