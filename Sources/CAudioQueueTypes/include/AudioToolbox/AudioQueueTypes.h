/* The data of Audio Queue Services: structs, identifiers, result codes. Names, values and layouts are
 * those of the published interface. */
#ifndef AUDIO_QUEUE_TYPES_H
#define AUDIO_QUEUE_TYPES_H

#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

typedef UInt32 AudioQueuePropertyID;
typedef UInt32 AudioQueueParameterID;
typedef Float32 AudioQueueParameterValue;

typedef struct OpaqueAudioQueue *AudioQueueRef;
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;

/* A buffer of a queue. The const fields are set once, by the queue that allocates it; the client fills the
 * data and says how many bytes and packet descriptions are valid. */
typedef struct AudioQueueBuffer {
    const UInt32 mAudioDataBytesCapacity;
    void *const mAudioData;
    UInt32 mAudioDataByteSize;
    void *_Nullable mUserData; /* the client's own */
    const UInt32 mPacketDescriptionCapacity;
    AudioStreamPacketDescription *_Nullable const mPacketDescriptions;
    UInt32 mPacketDescriptionCount;
#if defined(__cplusplus)
    /* Fields that are const leave C++ no constructor of its own. */
    AudioQueueBuffer() : AudioQueueBuffer(nullptr, 0, nullptr, 0) {}
    AudioQueueBuffer(
        void *_Nullable dataPtr, UInt32 dataCapacity, AudioStreamPacketDescription *_Nullable packetDescs,
        UInt32 packetDescCapacity)
        : mAudioDataBytesCapacity(dataCapacity), mAudioData(dataPtr), mAudioDataByteSize(0),
          mUserData(nullptr), mPacketDescriptionCapacity(packetDescCapacity),
          mPacketDescriptions(packetDescs), mPacketDescriptionCount(0) {}
#endif
} AudioQueueBuffer;

typedef AudioQueueBuffer *AudioQueueBufferRef;

/* A parameter's value from the start of one buffer on. */
typedef struct AudioQueueParameterEvent {
    AudioQueueParameterID mID;
    AudioQueueParameterValue mValue;
} AudioQueueParameterEvent;

/* The level of one channel, linear or in decibels as the property asked for says. */
typedef struct AudioQueueLevelMeterState {
    Float32 mAveragePower;
    Float32 mPeakPower;
} AudioQueueLevelMeterState;

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioQueueErr_InvalidBuffer = -66687,
    kAudioQueueErr_BufferEmpty = -66686,
    kAudioQueueErr_DisposalPending = -66685,
    kAudioQueueErr_InvalidProperty = -66684,
    kAudioQueueErr_InvalidPropertySize = -66683,
    kAudioQueueErr_InvalidParameter = -66682,
    kAudioQueueErr_CannotStart = -66681,
    kAudioQueueErr_InvalidDevice = -66680,
    kAudioQueueErr_BufferInQueue = -66679,
    kAudioQueueErr_InvalidRunState = -66678,
    kAudioQueueErr_InvalidQueueType = -66677,
    kAudioQueueErr_Permissions = -66676,
    kAudioQueueErr_InvalidPropertyValue = -66675,
    kAudioQueueErr_PrimeTimedOut = -66674,
    kAudioQueueErr_CodecNotFound = -66673,
    kAudioQueueErr_InvalidCodecAccess = -66672,
    kAudioQueueErr_QueueInvalidated = -66671,
    kAudioQueueErr_TooManyTaps = -66670,
    kAudioQueueErr_InvalidTapContext = -66669,
    kAudioQueueErr_RecordUnderrun = -66668,
    kAudioQueueErr_InvalidTapType = -66667,
    kAudioQueueErr_BufferEnqueuedTwice = -66666,
    kAudioQueueErr_CannotStartYet = -66665,
    kAudioQueueErr_EnqueueDuringReset = -66632,
    kAudioQueueErr_InvalidOfflineMode = -66626
};

/* Properties. */
AUDIO_CONSTANTS(AudioQueuePropertyID) {
    kAudioQueueProperty_IsRunning = 'aqrn',                /* UInt32 */
    kAudioQueueDeviceProperty_SampleRate = 'aqsr',         /* Float64 */
    kAudioQueueDeviceProperty_NumberChannels = 'aqdc',     /* UInt32 */
    kAudioQueueProperty_CurrentDevice = 'aqcd',            /* a string: the device's identifier */
    kAudioQueueProperty_MagicCookie = 'aqmc',              /* bytes */
    kAudioQueueProperty_MaximumOutputPacketSize = 'xops',  /* UInt32 */
    kAudioQueueProperty_StreamDescription = 'aqft',        /* AudioStreamBasicDescription */
    kAudioQueueProperty_ChannelLayout = 'aqcl',            /* AudioChannelLayout */
    kAudioQueueProperty_EnableLevelMetering = 'aqme',      /* UInt32 */
    kAudioQueueProperty_CurrentLevelMeter = 'aqmv',        /* AudioQueueLevelMeterState for each channel */
    kAudioQueueProperty_CurrentLevelMeterDB = 'aqmd',      /* the same in decibels */
    kAudioQueueProperty_DecodeBufferSizeFrames = 'dcbf',   /* UInt32 */
    kAudioQueueProperty_ConverterError = 'qcve',           /* UInt32: the last error's OSStatus */
    kAudioQueueProperty_EnableTimePitch = 'q_tp',          /* UInt32 */
    kAudioQueueProperty_TimePitchAlgorithm = 'qtpa',       /* UInt32 */
    kAudioQueueProperty_TimePitchBypass = 'qtpb',          /* UInt32 */
    kAudioQueueProperty_ChannelAssignments = 'aqca',       /* one assignment for each channel */
    kAudioQueueProperty_HardwareCodecPolicy = 'aqcp',      /* UInt32 */
    kAudioQueueProperty_IntendedSpatialExperience = 'iseo' /* a pointer */
};

/* Values of kAudioQueueProperty_TimePitchAlgorithm. */
AUDIO_CONSTANTS(UInt32) {
    kAudioQueueTimePitchAlgorithm_Spectral = 'spec',
    kAudioQueueTimePitchAlgorithm_TimeDomain = 'tido',
    kAudioQueueTimePitchAlgorithm_Varispeed = 'vspd',
    kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 'lqzl'
};

/* Values of kAudioQueueProperty_HardwareCodecPolicy. */
AUDIO_CONSTANTS(UInt32) {
    kAudioQueueHardwareCodecPolicy_Default = 0,
    kAudioQueueHardwareCodecPolicy_UseSoftwareOnly = 1,
    kAudioQueueHardwareCodecPolicy_UseHardwareOnly = 2,
    kAudioQueueHardwareCodecPolicy_PreferSoftware = 3,
    kAudioQueueHardwareCodecPolicy_PreferHardware = 4
};

/* Parameters. */
AUDIO_CONSTANTS(AudioQueueParameterID) {
    kAudioQueueParam_Volume = 1,         /* linear gain, 0 to 1 */
    kAudioQueueParam_PlayRate = 2,       /* ratio, 0.5 to 2 */
    kAudioQueueParam_Pitch = 3,          /* cents, -2400 to 2400 */
    kAudioQueueParam_VolumeRampTime = 4, /* seconds */
    kAudioQueueParam_Pan = 13            /* -1 left to 1 right */
};

/* What a processing tap is, and what it is told of the stream. */
AUDIO_OPTIONS(UInt32, AudioQueueProcessingTapFlags) {
    kAudioQueueProcessingTap_PreEffects = 1U << 0,
    kAudioQueueProcessingTap_PostEffects = 1U << 1,
    kAudioQueueProcessingTap_Siphon = 1U << 2,
    kAudioQueueProcessingTap_StartOfStream = 1U << 8,
    kAudioQueueProcessingTap_EndOfStream = 1U << 9
};

AUDIO_DECLARATIONS_END

#endif
