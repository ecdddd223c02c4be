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

/* Programs of years ago ask for these before they add what older headers lacked. */
#if !defined(COREAUDIOTYPES_VERSION)
#define COREAUDIOTYPES_VERSION 20210401 /* which version of the published header this is like */
#endif
#if !defined(CA_PREFER_FIXED_POINT)
#define CA_PREFER_FIXED_POINT 0 /* samples of the deprecated canonical formats are of floating point */
#endif

#endif
