"""Files on disk: written completely or not at all, with checksums and safe names."""
