/* The older file of the same purpose. */
#include <Availability.h>
