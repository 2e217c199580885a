"""What was judged and answered, kept on disk: runs, records, cards, replies, banks and what they cost."""
