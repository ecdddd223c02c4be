/* SPDX-License-Identifier: MIT */

/* All headers of the shared types, under the name of the framework. */
#ifndef CORE_AUDIO_TYPES_H
#define CORE_AUDIO_TYPES_H

#include "CoreAudioBaseTypes.h"

#endif
