/* The types every part of Core Audio shares, under the published name of their header.
 * Names, values and layouts are those of the published interface. */
#ifndef CORE_AUDIO_BASE_TYPES_H
#define CORE_AUDIO_BASE_TYPES_H

#include "AudioBuffers.h"
#include "AudioChannelLabels.h"
#include "AudioChannelLayoutTags.h"
#include "AudioChannelLayouts.h"
#include "AudioErrors.h"
#include "AudioFormatFlags.h"
#include "AudioFormatIDs.h"
#include "AudioInlineFunctions.h"
#include "AudioScalarTypes.h"
#include "AudioStreamTypes.h"
#include "AudioTimeStamps.h"

#endif
