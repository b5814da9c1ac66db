"""Couplings of shafts with their catalogue data, and the law that compiled functions evaluate."""

from .design import CardanJoint, ElasticCoupling, GearCoupling, Spline

__all__ = ["CardanJoint", "ElasticCoupling", "GearCoupling", "Spline"]
