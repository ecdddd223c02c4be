/* SPDX-License-Identifier: MIT */

/* The properties of audio units, their scopes and values. */
#ifndef AUDIO_UNIT_PROPERTIES_H
#define AUDIO_UNIT_PROPERTIES_H

#include <AudioToolbox/AUComponent.h>
#include <AudioToolbox/AudioFileTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* Scopes. */
AUDIO_CONSTANTS(AudioUnitScope) {
    kAudioUnitScope_Global = 0,   /* the whole unit */
    kAudioUnitScope_Input = 1,    /* the input side of a bus */
    kAudioUnitScope_Output = 2,   /* the output side of a bus */
    kAudioUnitScope_Group = 3,    /* groups of notes */
    kAudioUnitScope_Part = 4,     /* parts of an instrument */
    kAudioUnitScope_Note = 5,     /* notes */
    kAudioUnitScope_Layer = 6,    /* layers of a part */
    kAudioUnitScope_LayerItem = 7 /* items of a layer */
};

/* Properties of every unit. */
AUDIO_CONSTANTS(AudioUnitPropertyID) {
    kAudioUnitProperty_ClassInfo = 0,              /* CFPropertyListRef: the settings */
    kAudioUnitProperty_MakeConnection = 1,         /* AudioUnitConnection; set only */
    kAudioUnitProperty_SampleRate = 2,             /* Float64 */
    kAudioUnitProperty_ParameterList = 3,          /* AudioUnitParameterID[] */
    kAudioUnitProperty_ParameterInfo = 4,          /* AudioUnitParameterInfo; the element is the parameter */
    kAudioUnitProperty_CPULoad = 6,                /* Float32 */
    kAudioUnitProperty_StreamFormat = 8,           /* AudioStreamBasicDescription */
    kAudioUnitProperty_ElementCount = 11,          /* UInt32 */
    kAudioUnitProperty_Latency = 12,               /* Float64: seconds */
    kAudioUnitProperty_SupportedNumChannels = 13,  /* AUChannelInfo[] */
    kAudioUnitProperty_MaximumFramesPerSlice = 14, /* UInt32 */
    kAudioUnitProperty_AudioChannelLayout = 19,    /* AudioChannelLayout */
    kAudioUnitProperty_TailTime = 20,              /* Float64: seconds */
    kAudioUnitProperty_BypassEffect = 21,          /* UInt32 */
    kAudioUnitProperty_LastRenderError = 22,       /* OSStatus; reading clears it */
    kAudioUnitProperty_SetRenderCallback = 23,     /* AURenderCallbackStruct; set only */
    kAudioUnitProperty_FactoryPresets = 24,        /* CFArrayRef of AUPreset */
    kAudioUnitProperty_RenderQuality = 26,         /* UInt32: kRenderQuality_..., or a value between */
    kAudioUnitProperty_InPlaceProcessing = 29,     /* UInt32 */
    kAudioUnitProperty_PresentPreset = 36,         /* AUPreset */
    kAudioUnitProperty_OfflineRender = 37,         /* UInt32 */
    kAudioUnitProperty_PresentationLatency = 40,   /* Float64: seconds; set only */
    kAudioUnitProperty_InputSamplesInOutput = 49,  /* a procedure */
    kAudioUnitProperty_ShouldAllocateBuffer = 51   /* UInt32 */
};

/* Properties of I/O units. */
AUDIO_CONSTANTS(AudioUnitPropertyID) {
    kAudioOutputUnitProperty_CurrentDevice = 2000,         /* AudioObjectID */
    kAudioOutputUnitProperty_IsRunning = 2001,             /* UInt32; read only */
    kAudioOutputUnitProperty_ChannelMap = 2002,            /* SInt32[]: a source channel or -1 for each channel */
    kAudioOutputUnitProperty_EnableIO = 2003,              /* UInt32 */
    kAudioOutputUnitProperty_StartTime = 2004,             /* AudioOutputUnitStartAtTimeParams; set only */
    kAudioOutputUnitProperty_SetInputCallback = 2005,      /* AURenderCallbackStruct */
    kAudioOutputUnitProperty_HasIO = 2006,                 /* UInt32; read only */
    kAudioOutputUnitProperty_StartTimestampsAtZero = 2007, /* UInt32 */
    kAudioOutputUnitProperty_OSWorkgroup = 2015            /* os_workgroup_t; only on Apple's systems */
};

/* Properties of kAudioUnitSubType_VoiceProcessingIO. */
AUDIO_CONSTANTS(AudioUnitPropertyID) {
    kAUVoiceIOProperty_BypassVoiceProcessing = 2100,     /* UInt32 */
    kAUVoiceIOProperty_VoiceProcessingEnableAGC = 2101,  /* UInt32: automatic gain control */
    kAUVoiceIOProperty_DuckNonVoiceAudio = 2102,         /* UInt32 */
    kAUVoiceIOProperty_VoiceProcessingQuality = 2103,    /* UInt32: 0 to 127 */
    kAUVoiceIOProperty_MuteOutput = 2104,                /* UInt32: mutes the processed microphone */
    kAUVoiceIOProperty_MutedSpeechActivityEventListener = 2106, /* a block */
    kAUVoiceIOProperty_OtherAudioDuckingConfiguration = 2108 /* AUVoiceIOOtherAudioDuckingConfiguration */
};

/* Properties of kAudioUnitType_Mixer. */
AUDIO_CONSTANTS(AudioUnitPropertyID) {
    kAudioUnitProperty_MeteringMode = 3007 /* UInt32: whether the levels of a bus are measured */
};

/* Properties of kAudioUnitSubType_AudioFilePlayer and kAudioUnitSubType_ScheduledSoundPlayer. */
AUDIO_CONSTANTS(AudioUnitPropertyID) {
    kAudioUnitProperty_ScheduleStartTimeStamp = 3301, /* AudioTimeStamp */
    kAudioUnitProperty_CurrentPlayTime = 3302,        /* AudioTimeStamp; read only */
    kAudioUnitProperty_ScheduledFileIDs = 3310,       /* AudioFileID[] */
    kAudioUnitProperty_ScheduledFileRegion = 3311,    /* ScheduledAudioFileRegion; set only */
    kAudioUnitProperty_ScheduledFilePrime = 3312      /* UInt32: frames */
};

/* Values of kAudioUnitProperty_RenderQuality. */
AUDIO_CONSTANTS(UInt32) {
    kRenderQuality_Max = 127,   /* highest cost */
    kRenderQuality_High = 96,   /* high cost */
    kRenderQuality_Medium = 64, /* medium cost */
    kRenderQuality_Low = 32,    /* low cost */
    kRenderQuality_Min = 0      /* lowest cost */
};

/* A result of voice processing. */
AUDIO_CONSTANTS(OSStatus) {
    kAUVoiceIOErr_UnexpectedNumberOfInputChannels = -66784 /* the microphone has too many channels */
};

/* How much a call lowers the volume of other programs. */
AUDIO_ENUM(UInt32, AUVoiceIOOtherAudioDuckingLevel) {
    kAUVoiceIOOtherAudioDuckingLevelDefault = 0, /* the usual level */
    kAUVoiceIOOtherAudioDuckingLevelMin = 10,    /* little */
    kAUVoiceIOOtherAudioDuckingLevelMid = 20,    /* more */
    kAUVoiceIOOtherAudioDuckingLevelMax = 30     /* as much as possible */
};

/* The value of kAUVoiceIOProperty_OtherAudioDuckingConfiguration. */
typedef struct AUVoiceIOOtherAudioDuckingConfiguration {
    Boolean mEnableAdvancedDucking;                /* whether only speech lowers other programs */
    AUVoiceIOOtherAudioDuckingLevel mDuckingLevel; /* how much */
} AUVoiceIOOtherAudioDuckingConfiguration;

/* The value of kAudioUnitProperty_SetRenderCallback and kAudioOutputUnitProperty_SetInputCallback. */
typedef struct AURenderCallbackStruct {
    AURenderCallback _Nullable inputProc; /* the procedure; NULL removes it */
    void *_Nullable inputProcRefCon;      /* its first argument */
} AURenderCallbackStruct;

/* The value of kAudioUnitProperty_MakeConnection. */
typedef struct AudioUnitConnection {
    AudioUnit _Nullable sourceAudioUnit; /* the unit that provides the audio; NULL ends the connection */
    UInt32 sourceOutputNumber;           /* its output bus */
    UInt32 destInputNumber;              /* the input bus of this unit */
} AudioUnitConnection;

/* Numbers of channels that a unit supports together; -1 stands for any. */
typedef struct AUChannelInfo {
    SInt16 inChannels;  /* input channels */
    SInt16 outChannels; /* output channels */
} AUChannelInfo;

/* A preset. */
typedef struct AUPreset {
    SInt32 presetNumber;               /* negative: made by the user */
    CFStringRef _Nullable presetName; /* the name */
} AUPreset;

/* The unit of a parameter's value. */
typedef UInt32 AudioUnitParameterUnit;
/* The flags of a parameter. */
typedef UInt32 AudioUnitParameterOptions;

/* A description of a parameter. */
typedef struct AudioUnitParameterInfo {
    char name[52];                        /* the name in ASCII */
    CFStringRef _Nullable unitName;       /* the name of a unit without a number */
    UInt32 clumpID;                       /* the group of the parameter */
    CFStringRef _Nullable cfNameString;   /* the name */
    AudioUnitParameterUnit unit;          /* the unit of the value */
    AudioUnitParameterValue minValue;     /* the lowest value */
    AudioUnitParameterValue maxValue;     /* the highest value */
    AudioUnitParameterValue defaultValue; /* the value of a new unit */
    AudioUnitParameterOptions flags;      /* flags */
} AudioUnitParameterInfo;

struct ScheduledAudioFileRegion;

/* Called when a region of a file has been read. */
typedef void (*ScheduledAudioFileRegionCompletionProc)(
    void *_Nullable userData, struct ScheduledAudioFileRegion *fileRegion, OSStatus result);

/* A region of a file that kAudioUnitSubType_AudioFilePlayer plays. */
typedef struct ScheduledAudioFileRegion {
    AudioTimeStamp mTimeStamp; /* the time of the first frame */
    ScheduledAudioFileRegionCompletionProc _Nullable mCompletionProc; /* called at the end */
    void *_Nullable mCompletionProcUserData; /* its first argument */
    AudioFileID mAudioFile;                  /* the file */
    UInt32 mLoopCount;                       /* repetitions; 0 plays the region once */
    SInt64 mStartFrame;                      /* the first frame */
    UInt32 mFramesToPlay;                    /* the number of frames */
} ScheduledAudioFileRegion;

AUDIO_DECLARATIONS_END

#endif
