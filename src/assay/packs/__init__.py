"""Code that belongs to one rubric: what it observes, what it proves of a unit, and which facts it works out."""
