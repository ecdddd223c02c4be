#include "AudioQueueTypes.h"
