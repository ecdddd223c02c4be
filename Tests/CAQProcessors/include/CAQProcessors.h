/* SPDX-License-Identifier: MIT */

#ifndef CAQ_PROCESSORS_H
#define CAQ_PROCESSORS_H

#include <stdbool.h>

/* The processors by number, which Swift's import of the C library leaves out. */

/* Whether the calling thread may run on a processor; false beyond the last number. */
bool aq_may_use_processor(int processor);

/* Makes the calling thread run only on a processor. Returns false if it may not. */
bool aq_use_only_processor(int processor);

#endif
