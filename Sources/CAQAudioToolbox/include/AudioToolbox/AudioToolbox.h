/* SPDX-License-Identifier: MIT */

/* All headers of the framework. */
#ifndef AUDIO_TOOLBOX_H
#define AUDIO_TOOLBOX_H

#include <AudioToolbox/AUGraph.h>
#include <AudioToolbox/AudioCodec.h>
#include <AudioToolbox/AudioConverter.h>
#include <AudioToolbox/AudioFile.h>
#include <AudioToolbox/AudioFileStream.h>
#include <AudioToolbox/AudioFormat.h>
#include <AudioToolbox/AudioHardwareService.h>
#include <AudioToolbox/AudioQueue.h>
#include <AudioToolbox/AudioUnit.h>
#include <AudioToolbox/AudioServices.h>
#include <AudioToolbox/AudioSession.h>
#include <AudioToolbox/CAFFile.h>
#include <AudioToolbox/ExtendedAudioFile.h>
#include <CoreAudio/CoreAudio.h>

#endif
