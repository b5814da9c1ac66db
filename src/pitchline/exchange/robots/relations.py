"""Relations between joints of a robot: mimic joints, equalities of joints, and fixed tendons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...disk.element_finder import element_of_package
from ...model.signal_expression import expression
from .actuators import coordinate_signal, speed_signal, times
from .description import RelationData, SumData

if TYPE_CHECKING:
    from .model_maker import RobotModel

__all__ = ["add_relations"]


def add_relations(made: RobotModel) -> None:
    """Add relations and sums as constraints, and springs on sums as torques."""
    for relation in made.robot.relations:
        _relation(made, relation)
    for one in made.robot.sums:
        terms = [(name, factor) for name, factor in one.terms if factor]
        if one.value is not None:
            _sum(made, one, terms)
        if terms and (one.stiffness or one.damping):
            _spring(made, one, terms)


def _relation(made: RobotModel, relation: RelationData) -> None:
    joints = made.robot.joints
    a, b = joints[relation.joint], joints[str(relation.other)]
    name = made.names.new(relation.name, "relation")
    offset, slope, *higher = relation.coefficients
    plain = not any(higher) and slope != 0.0
    if plain and a.kind == b.kind == "revolute":
        # the element counts revolutions exactly, and trains of gears can contain it
        made.model.ratio(name, made.joint_names[a.name], made.joint_names[b.name], ratio=slope)
        return
    made.model.add(
        element_of_package("joint_relation")(
            name,
            a=made.joint_names[a.name],
            b=made.joint_names[b.name],
            coefficients=[offset, slope, *higher],
            reference_a=relation.reference,
            reference_b=relation.other_reference,
        )
    )


def _sum(made: RobotModel, one: SumData, terms: list[tuple[str, float]]) -> None:
    name = made.names.new(one.name, "relation")
    assert one.value is not None
    start = sum(factor * made.positions[joint] for joint, factor in terms)
    if abs(start - one.value) > 1e-6 * max(1.0, abs(one.value)):
        raise made.robot.error(
            one.line,
            f'tendon "{one.name}": the sum of its joint coordinates is {start:g} in the initial pose, but the file requires '
            f"{one.value:g}. Specify positions= that fit",
        )
    joints = [made.joint_names[joint] for joint, _ in terms]
    factors = [factor for _, factor in terms]
    if len(terms) == 2:
        made.model.add(
            element_of_package("joint_relation")(
                name,
                a=joints[0],
                b=joints[1],
                coefficients=[one.value / factors[0], -factors[1] / factors[0], 0.0, 0.0, 0.0],
            )
        )
    elif len(terms) == 3:
        ends = dict(zip("abc", joints, strict=True)) | {
            f"factor_{end}": factor for end, factor in zip("abc", factors, strict=True)
        }
        made.model.add(element_of_package("joint_sum")(name, **ends, value=one.value))
    elif terms:
        raise made.robot.error(
            one.line,
            f'tendon "{one.name}": connects {len(terms)} joints rigidly; two or three are possible. Lock the others '
            '(locked=["..."]), or replace the equality by a stiffness of the tendon',
        )


def _spring(made: RobotModel, one: SumData, terms: list[tuple[str, float]]) -> None:
    """Spring and damper on a sum: its force acts on each joint with the factor of its coordinate."""
    length = " + ".join(times(factor, coordinate_signal(made, joint)) for joint, factor in terms)
    speed = " + ".join(times(factor, speed_signal(made, joint)) for joint, factor in terms)
    low, high = one.rest
    stretch = (
        f"({length}) - ({low!r})"
        if low == high
        else f"max(({length}) - ({high!r}), 0) + min(({length}) - ({low!r}), 0)"
    )
    for joint, factor in terms:
        text = times(-factor, f"({one.stiffness!r}*({stretch}) + {one.damping!r}*({speed}))")
        name = made.names.new(f"{one.name}_{made.joint_names[joint]}", "spring")
        load = made.model.torque if made.robot.joints[joint].kind == "revolute" else made.model.force
        load(name, made.model.joints[made.joint_names[joint]], expression(text))
