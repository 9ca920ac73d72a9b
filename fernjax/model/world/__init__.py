"""A learned world: the weight-shared transformer reads a state and a call, and says what the app answers."""
