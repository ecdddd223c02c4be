/* SPDX-License-Identifier: MIT */

/* Audio units: types, results, and the functions of every unit. */
#ifndef AU_COMPONENT_H
#define AU_COMPONENT_H

#include <AudioToolbox/AudioComponent.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* An audio unit, which is an instance of a component. */
typedef AudioComponentInstance AudioUnit;

/* Types of audio units. */
AUDIO_CONSTANTS(UInt32) {
    kAudioUnitType_Output = 'auou',          /* I/O units, which play and record */
    kAudioUnitType_MusicDevice = 'aumu',     /* instruments */
    kAudioUnitType_MusicEffect = 'aumf',     /* effects controlled by MIDI */
    kAudioUnitType_FormatConverter = 'aufc', /* converters of formats, rate and pitch */
    kAudioUnitType_Effect = 'aufx',          /* effects */
    kAudioUnitType_Mixer = 'aumx',           /* mixers */
    kAudioUnitType_Panner = 'aupn',          /* panners */
    kAudioUnitType_Generator = 'augn',       /* players of files and buffers */
    kAudioUnitType_OfflineEffect = 'auol',   /* effects that need the whole audio */
    kAudioUnitType_MIDIProcessor = 'aumi'    /* processors of MIDI */
};

/* The manufacturer of the units below. */
AUDIO_CONSTANTS(UInt32) { kAudioUnitManufacturer_Apple = 'appl' /* of every unit here */ };

/* Subtypes of kAudioUnitType_Output. */
AUDIO_CONSTANTS(UInt32) {
    kAudioUnitSubType_GenericOutput = 'genr',     /* rendered only by AudioUnitRender */
    kAudioUnitSubType_VoiceProcessingIO = 'vpio', /* a device, with echo cancelling */
    kAudioUnitSubType_HALOutput = 'ahal',         /* a device that the client selects */
    kAudioUnitSubType_DefaultOutput = 'def ',     /* the default output */
    kAudioUnitSubType_SystemOutput = 'sys ',      /* the output of alerts */
    kAudioUnitSubType_RemoteIO = 'rioc'           /* the default devices, for programs from phones */
};

/* Subtypes of kAudioUnitType_FormatConverter. */
AUDIO_CONSTANTS(UInt32) {
    kAudioUnitSubType_AUConverter = 'conv',    /* conversion of PCM formats */
    kAudioUnitSubType_Varispeed = 'vari',      /* rate and pitch together */
    kAudioUnitSubType_NewTimePitch = 'nutp',   /* rate and pitch independently */
    kAudioUnitSubType_AUiPodTimeOther = 'ipto' /* rate at constant pitch */
};

/* Subtypes of kAudioUnitType_Mixer. */
AUDIO_CONSTANTS(UInt32) {
    kAudioUnitSubType_MultiChannelMixer = 'mcmx', /* inputs of any number of channels, one output */
    kAudioUnitSubType_StereoMixer = 'smxr',       /* inputs of one or two channels, a stereo output */
    kAudioUnitSubType_MatrixMixer = 'mxmx',       /* a gain for each input and output channel */
    kAudioUnitSubType_SpatialMixer = '3dem'       /* sources in space */
};

/* Subtypes of kAudioUnitType_Generator. */
AUDIO_CONSTANTS(UInt32) {
    kAudioUnitSubType_AudioFilePlayer = 'afpl',     /* regions of files */
    kAudioUnitSubType_ScheduledSoundPlayer = 'sspl' /* buffers in memory */
};

/* Subtypes of kAudioUnitType_Effect. */
AUDIO_CONSTANTS(UInt32) {
    kAudioUnitSubType_LowPassFilter = 'lpas',     /* low-pass filter */
    kAudioUnitSubType_HighPassFilter = 'hpas',    /* high-pass filter */
    kAudioUnitSubType_DynamicsProcessor = 'dcmp', /* compressor and expander */
    kAudioUnitSubType_PeakLimiter = 'lmtr',       /* limiter */
    kAudioUnitSubType_NBandEQ = 'nbeq',           /* parametric equalizer */
    kAudioUnitSubType_GraphicEQ = 'greq',         /* graphic equalizer */
    kAudioUnitSubType_Reverb2 = 'rvb2',           /* reverb */
    kAudioUnitSubType_MatrixReverb = 'mrev',      /* another reverb */
    kAudioUnitSubType_Delay = 'dely'              /* delay line */
};

/* Subtypes of kAudioUnitType_MusicDevice. */
AUDIO_CONSTANTS(UInt32) {
    kAudioUnitSubType_DLSSynth = 'dls ', /* synthesizer with downloadable sounds */
    kAudioUnitSubType_Sampler = 'samp'   /* sampler */
};

/* Flags of a render call, which callbacks read and set. */
AUDIO_OPTIONS(UInt32, AudioUnitRenderActionFlags) {
    kAudioUnitRenderAction_PreRender = 0x4,             /* to a notified procedure: before the render */
    kAudioUnitRenderAction_PostRender = 0x8,            /* to a notified procedure: after the render */
    kAudioUnitRenderAction_OutputIsSilence = 0x10,      /* the buffers contain only silence */
    kAudioOfflineUnitRenderAction_Preflight = 0x20,     /* offline: before the audio */
    kAudioOfflineUnitRenderAction_Render = 0x40,        /* offline: rendering */
    kAudioOfflineUnitRenderAction_Complete = 0x80,      /* offline: all audio was rendered */
    kAudioUnitRenderAction_PostRenderError = 0x100,     /* with PostRender: the render failed */
    kAudioUnitRenderAction_DoNotCheckRenderArgs = 0x200 /* the arguments need no check */
};

/* Results of units. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioUnitErr_InvalidProperty = -10879,          /* no such property */
    kAudioUnitErr_InvalidParameter = -10878,         /* no such parameter */
    kAudioUnitErr_InvalidElement = -10877,           /* no such element */
    kAudioUnitErr_NoConnection = -10876,             /* the input has neither callback nor connection */
    kAudioUnitErr_FailedInitialization = -10875,     /* the device is not available */
    kAudioUnitErr_TooManyFramesToProcess = -10874,   /* more frames than MaximumFramesPerSlice */
    kAudioUnitErr_InvalidFile = -10871,              /* the file cannot be read */
    kAudioUnitErr_UnknownFileType = -10870,          /* not a known type of file */
    kAudioUnitErr_FileNotSpecified = -10869,         /* no file was set */
    kAudioUnitErr_FormatNotSupported = -10868,       /* not linear PCM, or not a consistent format */
    kAudioUnitErr_Uninitialized = -10867,            /* the unit is not initialized */
    kAudioUnitErr_InvalidScope = -10866,             /* no such scope */
    kAudioUnitErr_PropertyNotWritable = -10865,      /* the property is read only, here or in this scope */
    kAudioUnitErr_CannotDoInCurrentContext = -10863, /* not possible now, such as less input than requested */
    kAudioUnitErr_InvalidPropertyValue = -10851,     /* the property cannot have this value */
    kAudioUnitErr_PropertyNotInUse = -10850,         /* the property has no effect now */
    kAudioUnitErr_Initialized = -10849,              /* not possible while the unit is initialized */
    kAudioUnitErr_InvalidOfflineRender = -10848,     /* the unit cannot render offline */
    kAudioUnitErr_Unauthorized = -10847,             /* permission is missing */
    kAudioUnitErr_RenderTimeout = -66745,            /* the render took too long */
    kAudioUnitErr_ExtensionNotFound = -66744,        /* no such extension */
    kAudioUnitErr_InvalidParameterValue = -66743,    /* the parameter cannot have this value */
    kAudioUnitErr_InvalidFilePath = -66742,          /* not a valid path of a file */
    kAudioUnitErr_MissingKey = -66741                /* a key is missing in a dictionary */
};

/* Results of the registry. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioComponentErr_InstanceTimedOut = -66754,       /* the instance does not answer */
    kAudioComponentErr_DuplicateDescription = -66752,   /* the description is registered already */
    kAudioComponentErr_UnsupportedType = -66751,        /* no units of this type can be made */
    kAudioComponentErr_TooManyInstances = -66750,       /* no more instances can be made */
    kAudioComponentErr_InstanceInvalidated = -66749,    /* the instance has lost its process */
    kAudioComponentErr_NotPermitted = -66748,           /* permission is missing */
    kAudioComponentErr_InitializationTimedOut = -66747, /* the instance took too long to be made */
    kAudioComponentErr_InvalidFormat = -66746           /* the format is not the hardware's */
};

/* A property of a unit. */
typedef UInt32 AudioUnitPropertyID;
/* A side of a unit: kAudioUnitScope_... */
typedef UInt32 AudioUnitScope;
/* An element of a scope, such as a bus, from 0. */
typedef UInt32 AudioUnitElement;
/* A parameter of a unit. */
typedef UInt32 AudioUnitParameterID;
/* The value of a parameter. */
typedef Float32 AudioUnitParameterValue;

/* The course of a scheduled change. */
AUDIO_ENUM(UInt32, AUParameterEventType) {
    kParameterEvent_Immediate = 1, /* at once */
    kParameterEvent_Ramped = 2     /* along a line */
};

/* A scheduled change of a parameter. */
typedef struct AudioUnitParameterEvent {
    AudioUnitScope scope;           /* the scope of the parameter */
    AudioUnitElement element;       /* the element of the parameter */
    AudioUnitParameterID parameter; /* the parameter */
    AUParameterEventType eventType; /* the member of eventValues that is used */
    /* The values of either type. */
    union {
        /* The values of a ramp. */
        struct {
            SInt32 startBufferOffset;           /* frames from the start of the slice */
            UInt32 durationInFrames;            /* the length of the ramp */
            AudioUnitParameterValue startValue; /* the first value */
            AudioUnitParameterValue endValue;   /* the last value */
        } ramp;
        /* The values of an immediate change. */
        struct {
            UInt32 bufferOffset;           /* frames from the start of the slice */
            AudioUnitParameterValue value; /* the new value */
        } immediate;
    } eventValues;
} AudioUnitParameterEvent;

/* A parameter of one unit. */
typedef struct AudioUnitParameter {
    AudioUnit mAudioUnit;              /* the unit */
    AudioUnitParameterID mParameterID; /* the parameter */
    AudioUnitScope mScope;             /* the scope */
    AudioUnitElement mElement;         /* the element */
} AudioUnitParameter;

/* A property of one unit. */
typedef struct AudioUnitProperty {
    AudioUnit mAudioUnit;            /* the unit */
    AudioUnitPropertyID mPropertyID; /* the property */
    AudioUnitScope mScope;           /* the scope */
    AudioUnitElement mElement;       /* the element */
} AudioUnitProperty;

/* Provides or processes a slice of audio. For output, ioData has memory for the frames; an input callback gets NULL,
 * and calls AudioUnitRender. As a notified procedure it is called before and after each render. */
typedef OSStatus (*AURenderCallback)(
    void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inBusNumber, UInt32 inNumberFrames, AudioBufferList *_Nullable ioData);

/* Called after a property has changed. */
typedef void (*AudioUnitPropertyListenerProc)(
    void *inRefCon, AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope,
    AudioUnitElement inElement);

/* Prepares the unit for rendering; the formats must have been set. */
OSStatus AudioUnitInitialize(AudioUnit inUnit);

/* Ends the preparation for rendering; settings are kept. */
OSStatus AudioUnitUninitialize(AudioUnit inUnit);

/* Returns the size of a property's value, and whether the property can be set. */
OSStatus AudioUnitGetPropertyInfo(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    UInt32 *_Nullable outDataSize, Boolean *_Nullable outWritable) AUDIO_REFINED_FOR_SWIFT;

/* Copies a property's value into outData, which holds *ioDataSize bytes. */
OSStatus AudioUnitGetProperty(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement, void *outData,
    UInt32 *ioDataSize);

/* Sets a property, or removes its value if inData is NULL. */
OSStatus AudioUnitSetProperty(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    const void *_Nullable inData, UInt32 inDataSize);

/* Adds a listener that is called when the property changes. */
OSStatus AudioUnitAddPropertyListener(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc,
    void *_Nullable inProcUserData);

/* Removes a listener that was added with the same arguments. */
OSStatus AudioUnitRemovePropertyListenerWithUserData(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc,
    void *_Nullable inProcUserData);

/* Removes the listeners of a procedure, with any user data. Replaced by the function above. */
OSStatus AudioUnitRemovePropertyListener(
    AudioUnit inUnit, AudioUnitPropertyID inID, AudioUnitPropertyListenerProc inProc);

/* Adds a procedure that is called before and after each render, on the thread that renders. */
OSStatus AudioUnitAddRenderNotify(AudioUnit inUnit, AURenderCallback inProc, void *_Nullable inProcUserData);

/* Removes a procedure that was added with the same arguments. */
OSStatus AudioUnitRemoveRenderNotify(AudioUnit inUnit, AURenderCallback inProc, void *_Nullable inProcUserData);

/* Returns the value of a parameter. */
OSStatus AudioUnitGetParameter(
    AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    AudioUnitParameterValue *outValue);

/* Sets a parameter for the audio from a frame of the next slice on. */
OSStatus AudioUnitSetParameter(
    AudioUnit inUnit, AudioUnitParameterID inID, AudioUnitScope inScope, AudioUnitElement inElement,
    AudioUnitParameterValue inValue, UInt32 inBufferOffsetInFrames);

/* Schedules changes of parameters within the next slice. */
OSStatus AudioUnitScheduleParameters(
    AudioUnit inUnit, const AudioUnitParameterEvent *inParameterEvent, UInt32 inNumParamEvents);

/* Renders frames of an output bus. If mData is NULL in ioData, the unit provides the memory. */
OSStatus AudioUnitRender(
    AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inOutputBusNumber, UInt32 inNumberFrames, AudioBufferList *ioData);

/* Processes frames in place. */
OSStatus AudioUnitProcess(
    AudioUnit inUnit, AudioUnitRenderActionFlags *_Nullable ioActionFlags, const AudioTimeStamp *inTimeStamp,
    UInt32 inNumberFrames, AudioBufferList *ioData);

/* Drops the audio that the unit holds; settings are kept. */
OSStatus AudioUnitReset(AudioUnit inUnit, AudioUnitScope inScope, AudioUnitElement inElement);

AUDIO_DECLARATIONS_END

#endif
