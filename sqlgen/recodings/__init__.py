"""Ways to make a release from a table: today full-domain generalization."""
