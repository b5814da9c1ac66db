"""Measurements as signals: CSV, WAV, MAT, HDF5 and Parquet files."""
