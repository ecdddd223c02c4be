/* SPDX-License-Identifier: MIT */

/* A C target needs a source file; the code is in the header. Dispatch's header belongs to the
 * toolchain: Swift's importer finds it, this compiler does not. */
#if __has_include(<dispatch/dispatch.h>)
#include "CAQQueueDispatch.h"
#endif
