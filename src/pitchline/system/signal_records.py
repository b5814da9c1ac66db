"""Records of the signals that elements read (see `signal_graph`)."""

from ..elements.contract import Input
from ..elements.scalar_geometry import Measure, Turns
from ..math.fields import INTEGER, NUMBER, VECTOR, elsewhere, embedded, fields, inline, reference, table

CLOCK, FUNCTION, MEASURE, MEASURE_RATE, SPIN, POINT, POINT_RATE, TURN_RATE, OWN, OWN_RATE, LAW, RESPONSE = range(12)
"""Kinds of signals."""

SignalItem = fields(
    "SignalItem",
    kind=INTEGER,
    value=INTEGER,  # its place among the values; the first, for the outputs of an element
    count=INTEGER,
    place=INTEGER,  # index of a function, of an own coordinate among all coordinates, or of an element
    address=INTEGER,  # of a law
    node_a=INTEGER,
    node_b=INTEGER,
    factor=NUMBER,  # derivative of a spin by the rate of the coordinate
    measure=embedded(Measure),
    turns=reference(Turns),
    point=VECTOR,
    direction=VECTOR,
    n_inputs=INTEGER,
    inputs=elsewhere("n_inputs", of="integer"),  # places of the values that a law reads
    first=INTEGER,  # its derivatives
    last=INTEGER,
    chain0=INTEGER,  # its entries of the chain rule
    chain1=INTEGER,
)

SignalTable = fields(
    "SignalTable",
    n_items=INTEGER,  # those that elements read
    n_all=INTEGER,  # and the outputs that are only reported
    n_values=INTEGER,
    n_derivatives=INTEGER,
    n_combined=INTEGER,
    n_chain=INTEGER,
    n_inputs=INTEGER,
    n_feeds=INTEGER,
    n_buffer=INTEGER,
    items=table(SignalItem),
    inputs=table(Input),
    input_value=elsewhere("n_inputs", of="integer"),  # value of each input of an element
    values=elsewhere("n_values"),
    by_time=elsewhere("n_values"),  # explicit derivatives by time
    by_position=elsewhere("n_derivatives"),
    by_rate=elsewhere("n_derivatives"),
    column=elsewhere("n_derivatives", of="integer"),  # coordinate of each derivative
    combined=elsewhere("n_combined"),  # K by_position + D by_rate; then the same for rows of constraints
    chain_partial=elsewhere("n_chain", of="integer"),
    chain_from=elsewhere("n_chain", of="integer"),
    chain_to=elsewhere("n_chain", of="integer"),
    feed_from=elsewhere("n_feeds", of="integer"),  # derivative of a row by an input, in the element's tangent
    feed_by=elsewhere("n_feeds", of="integer"),  # derivative of the input
    feed_to=elsewhere("n_feeds", of="integer"),  # place in the matrix values
    feed_scale=elsewhere("n_feeds"),
    gradient=inline(12),
    hessian=inline(12, 12),
    arguments=elsewhere("n_buffer"),
    results=elsewhere("n_buffer"),
)
"""Signals of a system in the order of their evaluation, and their derivatives with respect to coordinates and rates."""
