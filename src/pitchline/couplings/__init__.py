"""Couplings of shafts as their catalogues describe them, and the law that compiled functions evaluate."""

from .cardan import CardanJoint
from .elastic import ElasticCoupling
from .gear import GearCoupling
from .spline import Spline

__all__ = ["CardanJoint", "ElasticCoupling", "GearCoupling", "Spline"]
