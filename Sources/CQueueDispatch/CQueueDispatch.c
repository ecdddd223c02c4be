/* A C target needs a source file; what there is is in the header. Dispatch's own header comes with the toolchain, where
 * Swift's importer finds it and this compiler does not look. */
#if __has_include(<dispatch/dispatch.h>)
#include "CQueueDispatch.h"
#endif
