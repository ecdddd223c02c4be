/* SPDX-License-Identifier: MIT */

/* All headers of the framework: times, and buffers of captured or streamed audio. */
#ifndef CORE_MEDIA_H
#define CORE_MEDIA_H

#include <CoreMedia/CMBase.h>
#include <CoreMedia/CMBlockBuffer.h>
#include <CoreMedia/CMFormatDescription.h>
#include <CoreMedia/CMSampleBuffer.h>
#include <CoreMedia/CMSync.h>
#include <CoreMedia/CMTime.h>
#include <CoreMedia/CMTimeRange.h>

#endif
