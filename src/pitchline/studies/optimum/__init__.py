"""Optimum of a figure over parameters: bounded search without derivatives."""
