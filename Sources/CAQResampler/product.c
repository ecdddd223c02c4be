/* SPDX-License-Identifier: MIT */

#include "product.h"

/// Eight samples. A processor with shorter vectors uses several.
typedef float samples8 __attribute__((vector_size(32), aligned(4)));

#define INLINE static inline __attribute__((always_inline))

INLINE float sum(const samples8 *one, const samples8 *other) {
    // The rounding of a few long sums would be the noise of the conversion.
    double result = 0;
    for (int lane = 0; lane < 8; lane++) {
        result += (double)(*one)[lane] + (double)(*other)[lane];
    }
    return (float)result;
}

INLINE void product(const float *coefficients, const float *samples, size_t distance, size_t length,
                    float *output) {
    samples8 a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
    if (distance == 0) {
        for (size_t i = 0; i < length; i += 16) {
            a0 += *(const samples8 *)(coefficients + i) * *(const samples8 *)(samples + i);
            a1 += *(const samples8 *)(coefficients + i + 8) * *(const samples8 *)(samples + i + 8);
        }
        output[0] = sum(&a0, &a1);
        return;
    }
    const float *second = samples + distance;
    for (size_t i = 0; i < length; i += 16) {
        samples8 c0 = *(const samples8 *)(coefficients + i);
        samples8 c1 = *(const samples8 *)(coefficients + i + 8);
        a0 += c0 * *(const samples8 *)(samples + i);
        a1 += c1 * *(const samples8 *)(samples + i + 8);
        b0 += c0 * *(const samples8 *)(second + i);
        b1 += c1 * *(const samples8 *)(second + i + 8);
    }
    output[0] = sum(&a0, &a1);
    output[1] = sum(&b0, &b1);
}

static void product_portable(const float *coefficients, const float *samples, size_t distance, size_t length,
                             float *output) {
    product(coefficients, samples, distance, length, output);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void product_avx2(const float *coefficients, const float *samples,
                                                             size_t distance, size_t length, float *output) {
    product(coefficients, samples, distance, length, output);
}
#endif

aq_product aq_product_for_processor(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return product_avx2;
    }
#endif
    return product_portable;
}

void aq_weighted_sum(const float *rows, const float *weights, float *output, size_t length) {
    for (size_t i = 0; i < length; i += 8) {
        samples8 row = *(const samples8 *)(rows + i) * weights[0];
        row += *(const samples8 *)(rows + length + i) * weights[1];
        row += *(const samples8 *)(rows + 2 * length + i) * weights[2];
        row += *(const samples8 *)(rows + 3 * length + i) * weights[3];
        *(samples8 *)(output + i) = row;
    }
}
