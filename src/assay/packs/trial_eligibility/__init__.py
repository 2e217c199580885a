"""The pack of the rubric trial-eligibility."""
