/* Functions of numba's runtime that compiled code calls, with the same results. */

#include <math.h>

double numba_frexp(double x, int *exponent);
double numba_ldexp(double x, int exponent);

double numba_frexp(double x, int *exponent)
{
    if (!isfinite(x) || x == 0.0) {
        *exponent = 0;
        return x;
    }
    return frexp(x, exponent);
}

double numba_ldexp(double x, int exponent)
{
    return isfinite(x) && x != 0.0 && exponent != 0 ? ldexp(x, exponent) : x;
}
