"""Couplings of shafts with their catalogue data, and the law that compiled functions evaluate."""

from .cardan import CardanJoint
from .elastic import ElasticCoupling
from .gear import GearCoupling
from .spline import Spline

__all__ = ["CardanJoint", "ElasticCoupling", "GearCoupling", "Spline"]
