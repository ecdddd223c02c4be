/* SPDX-License-Identifier: MIT */

#include "minimum_phase.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/// Transforms a power of two of numbers in place; `sign` is -1, or 1 for the inverse, which is not scaled.
static void transform(double complex *numbers, size_t count, int sign) {
    for (size_t i = 1, j = 0; i < count; i++) {
        size_t bit = count / 2;
        for (; (j & bit) != 0; bit /= 2) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            double complex number = numbers[i];
            numbers[i] = numbers[j];
            numbers[j] = number;
        }
    }
    for (size_t half = 1; half < count; half *= 2) {
        for (size_t k = 0; k < half; k++) {
            double complex factor = cexp(sign * I * M_PI * (double)k / (double)half);
            for (size_t i = k; i < count; i += 2 * half) {
                double complex one = numbers[i];
                double complex other = numbers[i + half] * factor;
                numbers[i] = one + other;
                numbers[i + half] = one - other;
            }
        }
    }
}

bool aq_make_minimum_phase(double *response, size_t count, double floor) {
    // The cepstrum is longer than the response: more numbers keep its end from its beginning.
    size_t size = 1;
    while (size < 16 * count) {
        size *= 2;
    }
    double complex *numbers = calloc(size, sizeof *numbers);
    if (numbers == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        numbers[i] = response[i];
    }
    transform(numbers, size, -1);
    double least = floor * cabs(numbers[0]);
    for (size_t i = 0; i < size; i++) {
        numbers[i] = log(fmax(cabs(numbers[i]), least)) / (double)size;
    }
    transform(numbers, size, 1);
    // The part of the cepstrum before time 0 moves behind it, which changes only the phase.
    for (size_t i = 1; i < size / 2; i++) {
        numbers[i] = 2 * creal(numbers[i]);
        numbers[size - i] = 0;
    }
    transform(numbers, size, -1);
    for (size_t i = 0; i < size; i++) {
        numbers[i] = cexp(numbers[i]) / (double)size;
    }
    transform(numbers, size, 1);
    for (size_t i = 0; i < count; i++) {
        response[i] = creal(numbers[i]);
    }
    free(numbers);
    return true;
}
