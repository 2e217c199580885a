"""Replies in a rubric's own format: its shape table says where everything stands, for reading and for writing."""
