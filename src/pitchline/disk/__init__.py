"""Files on disk: complete or not at all, with checksums, under names that are safe."""
