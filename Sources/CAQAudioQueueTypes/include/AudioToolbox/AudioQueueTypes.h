/* SPDX-License-Identifier: MIT */

/* The data of Audio Queue Services: structs, identifiers, result codes. Names, values and layouts are
 * those of the published interface. */
#ifndef AUDIO_QUEUE_TYPES_H
#define AUDIO_QUEUE_TYPES_H

#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* A property of a queue. */
typedef UInt32 AudioQueuePropertyID;
/* A parameter of a queue, which can change while it plays. */
typedef UInt32 AudioQueueParameterID;
/* The value of a parameter. */
typedef Float32 AudioQueueParameterValue;

/* A queue. */
typedef struct OpaqueAudioQueue *AudioQueueRef;
/* A record of the gaps in a queue's time. */
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
/* A tap in a queue. */
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;

/* A buffer of a queue. The const fields are set once, by the queue that allocates it; the client
 * fills the data and sets the number of valid bytes and packet descriptions. */
typedef struct AudioQueueBuffer {
    const UInt32 mAudioDataBytesCapacity;    /* the size of mAudioData */
    void *const mAudioData;                  /* the audio: filled by the client, or recorded */
    UInt32 mAudioDataByteSize;               /* the number of valid bytes in mAudioData */
    void *_Nullable mUserData;               /* a value of the client */
    const UInt32 mPacketDescriptionCapacity; /* the size of mPacketDescriptions */
    /* The descriptions; NULL if the buffer was allocated without room for them. */
    AudioStreamPacketDescription *_Nullable const mPacketDescriptions;
    UInt32 mPacketDescriptionCount;          /* the number of valid descriptions */
#if defined(__cplusplus)
    /* C++ makes no default constructor for a struct with const fields. */
    AudioQueueBuffer() : AudioQueueBuffer(nullptr, 0, nullptr, 0) {}
    AudioQueueBuffer(
        void *_Nullable dataPtr, UInt32 dataCapacity, AudioStreamPacketDescription *_Nullable packetDescs,
        UInt32 packetDescCapacity)
        : mAudioDataBytesCapacity(dataCapacity), mAudioData(dataPtr), mAudioDataByteSize(0),
          mUserData(nullptr), mPacketDescriptionCapacity(packetDescCapacity),
          mPacketDescriptions(packetDescs), mPacketDescriptionCount(0) {}
#endif
} AudioQueueBuffer;

/* A buffer, which its queue allocates and frees. */
typedef AudioQueueBuffer *AudioQueueBufferRef;

/* A parameter's value from the start of one buffer on. */
typedef struct AudioQueueParameterEvent {
    AudioQueueParameterID mID;       /* kAudioQueueParam_... */
    AudioQueueParameterValue mValue; /* the value in the parameter's unit */
} AudioQueueParameterEvent;

/* The level of one channel, linear or in decibels, depending on the property. */
typedef struct AudioQueueLevelMeterState {
    Float32 mAveragePower; /* the recent average level */
    Float32 mPeakPower;    /* the recent peak level */
} AudioQueueLevelMeterState;

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioQueueErr_InvalidBuffer = -66687,        /* not a buffer of this queue */
    kAudioQueueErr_BufferEmpty = -66686,          /* the buffer has no data to play */
    kAudioQueueErr_DisposalPending = -66685,      /* the queue was disposed of */
    kAudioQueueErr_InvalidProperty = -66684,      /* the queue has no such property */
    kAudioQueueErr_InvalidPropertySize = -66683,  /* the property's value has another size */
    kAudioQueueErr_InvalidParameter = -66682,     /* a queue has no such parameter */
    kAudioQueueErr_CannotStart = -66681,          /* the device cannot start */
    kAudioQueueErr_InvalidDevice = -66680,        /* there is no such device, or it cannot be used */
    kAudioQueueErr_BufferInQueue = -66679,        /* the buffer is enqueued */
    kAudioQueueErr_InvalidRunState = -66678,      /* the queue has to run, or has to be stopped */
    kAudioQueueErr_InvalidQueueType = -66677,     /* the call is not for queues of this direction */
    kAudioQueueErr_Permissions = -66676,          /* permission is missing */
    kAudioQueueErr_InvalidPropertyValue = -66675, /* the property cannot have this value */
    kAudioQueueErr_PrimeTimedOut = -66674,        /* decoding ahead took too long */
    kAudioQueueErr_CodecNotFound = -66673,        /* no codec for the format */
    kAudioQueueErr_InvalidCodecAccess = -66672,   /* the codec may not be used now */
    kAudioQueueErr_QueueInvalidated = -66671,     /* the queue belongs to the parent process */
    kAudioQueueErr_TooManyTaps = -66670,          /* the queue has a tap already */
    kAudioQueueErr_InvalidTapContext = -66669,    /* the call is only for a tap's callback */
    kAudioQueueErr_RecordUnderrun = -66668,       /* audio was lost because no buffer was enqueued */
    kAudioQueueErr_InvalidTapType = -66667,       /* the call is not for taps of this type */
    kAudioQueueErr_BufferEnqueuedTwice = -66666,  /* the buffer is enqueued for recording already */
    kAudioQueueErr_CannotStartYet = -66665,       /* the queue is still stopping; try again shortly */
    kAudioQueueErr_EnqueueDuringReset = -66632,   /* the queue is being reset, or stops */
    kAudioQueueErr_InvalidOfflineMode = -66626    /* offline rendering is not on, or not off */
};

/* Properties. */
AUDIO_CONSTANTS(AudioQueuePropertyID) {
    kAudioQueueProperty_IsRunning = 'aqrn',                /* UInt32 */
    kAudioQueueDeviceProperty_SampleRate = 'aqsr',         /* Float64 */
    kAudioQueueDeviceProperty_NumberChannels = 'aqdc',     /* UInt32 */
    kAudioQueueProperty_CurrentDevice = 'aqcd',            /* CFStringRef: the device's UID */
    kAudioQueueProperty_MagicCookie = 'aqmc',              /* bytes */
    kAudioQueueProperty_MaximumOutputPacketSize = 'xops',  /* UInt32 */
    kAudioQueueProperty_StreamDescription = 'aqft',        /* AudioStreamBasicDescription */
    kAudioQueueProperty_ChannelLayout = 'aqcl',            /* AudioChannelLayout */
    kAudioQueueProperty_EnableLevelMetering = 'aqme',      /* UInt32 */
    kAudioQueueProperty_CurrentLevelMeter = 'aqmv',        /* AudioQueueLevelMeterState for each channel */
    kAudioQueueProperty_CurrentLevelMeterDB = 'aqmd',      /* AudioQueueLevelMeterState[] in decibels */
    kAudioQueueProperty_DecodeBufferSizeFrames = 'dcbf',   /* UInt32 */
    kAudioQueueProperty_ConverterError = 'qcve',           /* UInt32: the OSStatus of the last error */
    kAudioQueueProperty_EnableTimePitch = 'q_tp',          /* UInt32 */
    kAudioQueueProperty_TimePitchAlgorithm = 'qtpa',       /* UInt32: kAudioQueueTimePitchAlgorithm_... */
    kAudioQueueProperty_TimePitchBypass = 'qtpb',          /* UInt32 */
    kAudioQueueProperty_ChannelAssignments = 'aqca',       /* AudioQueueChannelAssignment for each channel */
    kAudioQueueProperty_HardwareCodecPolicy = 'aqcp',      /* UInt32: kAudioQueueHardwareCodecPolicy_... */
    kAudioQueueProperty_IntendedSpatialExperience = 'iseo' /* a pointer; not available here */
};

/* Values of kAudioQueueProperty_TimePitchAlgorithm. */
AUDIO_CONSTANTS(UInt32) {
    kAudioQueueTimePitchAlgorithm_Spectral = 'spec',             /* the best for music, at the highest cost */
    kAudioQueueTimePitchAlgorithm_TimeDomain = 'tido',           /* the best for speech */
    kAudioQueueTimePitchAlgorithm_Varispeed = 'vspd',            /* pitch changes with the rate */
    kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 'lqzl' /* the same as TimeDomain here */
};

/* Values of kAudioQueueProperty_HardwareCodecPolicy. There are no hardware codecs here: UseHardwareOnly can be set only
 * for linear PCM, and the others have the same effect. */
AUDIO_CONSTANTS(UInt32) {
    kAudioQueueHardwareCodecPolicy_Default = 0,         /* any codec */
    kAudioQueueHardwareCodecPolicy_UseSoftwareOnly = 1, /* only software codecs */
    kAudioQueueHardwareCodecPolicy_UseHardwareOnly = 2, /* only hardware codecs */
    kAudioQueueHardwareCodecPolicy_PreferSoftware = 3,  /* a software codec if there is one */
    kAudioQueueHardwareCodecPolicy_PreferHardware = 4   /* a hardware codec if there is one */
};

/* Parameters. */
AUDIO_CONSTANTS(AudioQueueParameterID) {
    kAudioQueueParam_Volume = 1,         /* linear gain, 0 to 1 */
    kAudioQueueParam_PlayRate = 2,       /* ratio, 0.5 to 2 */
    kAudioQueueParam_Pitch = 3,          /* cents, -2400 to 2400 */
    kAudioQueueParam_VolumeRampTime = 4, /* seconds */
    kAudioQueueParam_Pan = 13            /* -1 left to 1 right */
};

/* The type of a processing tap, and the state of its stream. */
AUDIO_OPTIONS(UInt32, AudioQueueProcessingTapFlags) {
    kAudioQueueProcessingTap_PreEffects = 1U << 0,    /* taps before rate, pitch and volume */
    kAudioQueueProcessingTap_PostEffects = 1U << 1,   /* taps after rate, pitch and volume */
    kAudioQueueProcessingTap_Siphon = 1U << 2,        /* receives the audio and cannot change it */
    kAudioQueueProcessingTap_StartOfStream = 1U << 8, /* the first audio since a start or a gap */
    kAudioQueueProcessingTap_EndOfStream = 1U << 9    /* the last audio */
};

AUDIO_DECLARATIONS_END

#endif
