/* SPDX-License-Identifier: MIT */

// Sums of products, with the vector instructions of the processor.

#ifndef AQ_PRODUCT_H
#define AQ_PRODUCT_H

#include <stddef.h>

/// Multiplies the samples of one or two channels with coefficients, and outputs a sum for each.
///
/// The second channel is `distance` samples after the first; 0 if there is none. `length` is a multiple of 16.
typedef void (*aq_product)(const float *_Nonnull coefficients, const float *_Nonnull samples, size_t distance,
                           size_t length, float *_Nonnull output);

/// The fastest function for this processor. All of them add in the same order.
aq_product _Nonnull aq_product_for_processor(void);

/// Adds four rows, one after the other in memory, each with its weight. `length` is a multiple of 16.
void aq_weighted_sum(const float *_Nonnull rows, const float *_Nonnull weights, float *_Nonnull output,
                     size_t length);

#endif
