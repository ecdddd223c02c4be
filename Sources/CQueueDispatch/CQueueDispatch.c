/* A C target needs a source file; what there is is in the header. */
#include "CQueueDispatch.h"
