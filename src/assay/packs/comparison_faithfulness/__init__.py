"""The pack of the rubric comparison-faithfulness."""
