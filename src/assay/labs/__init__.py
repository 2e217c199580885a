"""Experiments around the judges. The core never imports them; the command line loads one when its command runs."""
