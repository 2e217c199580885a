"""The built-in judge's weights, their card, licence and calibration: data, loaded when the judge is first asked."""
