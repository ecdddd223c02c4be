/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE
#include "CAQProcessors.h"

#include <sched.h>

bool aq_may_use_processor(int processor) {
    cpu_set_t allowed;
    if (processor >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) < 0) return false;
    return CPU_ISSET(processor, &allowed);
}

bool aq_use_only_processor(int processor) {
    cpu_set_t only;
    if (processor >= CPU_SETSIZE) return false;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    return sched_setaffinity(0, sizeof only, &only) == 0;
}
