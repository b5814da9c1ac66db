"""Tables of decimal numbers in text, compiled: about 100 MB per second.

A number is a whole number of at most 15 digits times a power of ten up to 1e22. Both are exact in floating point, so that one
multiplication or division gives the correctly rounded value. Other numbers are left to the caller.
"""

from typing import TYPE_CHECKING

import numpy as np
from numba import types

from .machine_code.compiled import A2, I1, I8, entry

if TYPE_CHECKING:
    B1U = np.ndarray
else:
    B1U = types.Array(types.uint8, 1, "C", readonly=True)

__all__ = ["parse_table"]

_NEWLINE, _BLANK, _TAB, _MINUS, _PLUS = 10, 32, 9, 45, 43
POWERS = tuple(10.0**k for k in range(23))


@entry
def parse_table(text: B1U, separator: I8, decimal: I8, out: A2, hard: I1, powers: A2) -> I8:
    """Numbers of a text with one row in each line. Returns the number of rows, or -1 if a cell is empty or not a number, or a line
    has another number of cells.

    separator: code of the sign between cells; 32: any number of blanks and tabs
    hard:      gets three numbers for each cell that needs more digits: its place in out, its start and end in the text. The first
               entry of the array is their number
    powers:    powers of ten (1, 23)
    """
    n, columns = len(text), out.shape[1]
    i, row, count = 0, 0, 0
    while i < n:
        if row >= out.shape[0]:
            return -1
        for column in range(columns):
            while i < n and (text[i] == _BLANK or (text[i] == _TAB and separator != _TAB)):
                i += 1
            start = i
            negative = False
            if i < n and (text[i] == _MINUS or text[i] == _PLUS):
                negative = text[i] == _MINUS
                i += 1
            mantissa, digits, scale, seen = 0, 0, 0, 0
            while i < n and 48 <= text[i] <= 57:
                seen += 1
                if mantissa > 0 or text[i] != 48:
                    digits += 1
                if digits <= 15:
                    mantissa = 10 * mantissa + (text[i] - 48)
                i += 1
            if i < n and text[i] == decimal:
                i += 1
                while i < n and 48 <= text[i] <= 57:
                    seen += 1
                    if mantissa > 0 or text[i] != 48:
                        digits += 1
                    if digits <= 15:
                        mantissa = 10 * mantissa + (text[i] - 48)
                        scale -= 1
                    i += 1
            if seen == 0:
                return -1
            if i < n and (text[i] == 101 or text[i] == 69):
                i += 1
                down = False
                if i < n and (text[i] == _MINUS or text[i] == _PLUS):
                    down = text[i] == _MINUS
                    i += 1
                power, first = 0, i
                while i < n and 48 <= text[i] <= 57:
                    power = min(10 * power + (text[i] - 48), 100000)
                    i += 1
                if i == first:
                    return -1
                scale += -power if down else power
            if digits > 15 or scale > 22 or scale < -22:
                if 3 * count + 3 >= len(hard):
                    return -1
                hard[3 * count + 1] = row * columns + column
                hard[3 * count + 2] = start
                hard[3 * count + 3] = i
                count += 1
                value = 0.0
            elif scale >= 0:
                value = float(mantissa) * powers[0, scale]
            else:
                value = float(mantissa) / powers[0, -scale]
            out[row, column] = -value if negative else value
            while i < n and (text[i] == _BLANK or (text[i] == _TAB and separator != _TAB)):
                i += 1
            if column < columns - 1:
                if separator == _BLANK:
                    if i >= n or text[i] == _NEWLINE or (text[i - 1] != _BLANK and text[i - 1] != _TAB):
                        return -1
                else:
                    if i >= n or text[i] != separator:
                        return -1
                    i += 1
        if i < n:
            if text[i] != _NEWLINE:
                return -1
            i += 1
        row += 1
    hard[0] = count
    return row
