/* The older header with the same purpose. */
#include <Availability.h>
