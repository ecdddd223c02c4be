#include "CAVCodec.h"
