"""Analyses of tooth contact: loaded, rigid, cell by cell, by nodes on surfaces, and explicit steps for comparison."""
