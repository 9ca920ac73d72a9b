"""Apps as worlds to be learned: episodes, what a step changes, and both as a language of marks and words."""
