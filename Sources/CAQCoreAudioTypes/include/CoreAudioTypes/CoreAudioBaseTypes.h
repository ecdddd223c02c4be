/* SPDX-License-Identifier: MIT */

/* The types shared by all of Core Audio, under the published name of their header. Names, values and layouts are
 * those of the published interface. */
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

/* Old programs check these macros before they declare names that older headers lacked. */
#if !defined(COREAUDIOTYPES_VERSION)
#define COREAUDIOTYPES_VERSION 20210401 /* the corresponding version of the published header */
#endif
#if !defined(CA_PREFER_FIXED_POINT)
#define CA_PREFER_FIXED_POINT 0 /* samples of the deprecated canonical formats are floating point */
#endif

#endif
