#define _GNU_SOURCE
#include "CRealTime.h"
