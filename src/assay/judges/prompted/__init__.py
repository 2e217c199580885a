"""A language model as a judge: prompts from templates, replies read by the ladder."""
