/* SPDX-License-Identifier: MIT */

// The coefficients of a low-pass filter at many fractions of an input frame.

#ifndef AQ_FILTER_H
#define AQ_FILTER_H

#include "CAQResampler.h"

/// A row has the coefficients for one fraction of a frame between a position and the input frame before it.
typedef struct {
    /// `rows` rows of `length` coefficients: for the fractions (row - first_row) / phases.
    float *_Nullable coefficients;
    /// The length of a row, a multiple of 16.
    size_t length;
    /// The number of these frames that are after the position.
    size_t following;
    size_t rows;
    /// The number of fractions in one input frame.
    size_t phases;
    /// 0, or 1 if there is a row before the fraction 0, for interpolation between rows.
    size_t first_row;
} aq_filter_table;

/// Makes the table for a number of fractions, each of which has a row, or for an interpolation between rows.
///
/// - Parameters:
///   - decimation: The input rate divided by the output rate, at least 1.
///   - phases: The number of fractions; 0 for as many rows as an interpolation requires.
/// - Returns: False if memory is insufficient.
bool aq_filter_make(aq_filter_table *_Nonnull table, aq_resampler_filter filter, double decimation,
                    size_t phases);

#endif
