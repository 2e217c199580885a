"""The walk from record to scorecard."""
