/* SPDX-License-Identifier: MIT */

// Filters whose response begins at once.

#ifndef AQ_MINIMUM_PHASE_H
#define AQ_MINIMUM_PHASE_H

#include <stdbool.h>
#include <stddef.h>

/// Replaces an impulse response by the one with the same amplitudes that is the earliest possible.
///
/// - Parameter floor: The least amplitude that is kept, above 0, for an amplitude of 1 at frequency 0.
/// - Returns: False if memory is insufficient.
bool aq_make_minimum_phase(double *_Nonnull response, size_t count, double floor);

#endif
