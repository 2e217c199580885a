"""The only network code: chat endpoints."""
