/* SPDX-License-Identifier: MIT */

/* Counts the calling thread's heap allocations and locks of mutexes, by standing in front of the C library's functions.
 * Under a sanitizer, which does the same, nothing is counted and aq_meter_is_live() is 0. */
#ifndef C_ALLOCATION_METER_H
#define C_ALLOCATION_METER_H

int aq_meter_is_live(void);
long aq_meter_allocations(void);
long aq_meter_locks(void);

#endif
