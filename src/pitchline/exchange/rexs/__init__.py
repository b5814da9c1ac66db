"""REXS, the exchange format of gear units: documents as they are in the file, and the step from documents to models."""
