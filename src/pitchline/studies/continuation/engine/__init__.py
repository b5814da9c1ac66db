"""Flow of any model by the time steps of the engine."""
