"""What a number means: utility that a release keeps or loses."""
