/* SPDX-License-Identifier: MIT */

/* The older name of Availability.h. */
#include <Availability.h>
