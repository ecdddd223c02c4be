/* All headers of the module, under its framework's name. */
#ifndef CORE_AUDIO_TYPES_H
#define CORE_AUDIO_TYPES_H

#include "CoreAudioBaseTypes.h"

#endif
