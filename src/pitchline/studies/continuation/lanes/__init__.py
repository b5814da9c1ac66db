"""Flow of a gear train by lanes of a batch."""
