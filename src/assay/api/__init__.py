"""Opening and carrying out a run: one way for the command line, the Python call, the demo and every plugin."""
