"""What code finds in a record alone, with no judge."""
