// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// The published scopes, properties and parameters of units.
enum UnitNames {
    static let scopes = [
        kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output, kAudioUnitScope_Group,
        kAudioUnitScope_Part, kAudioUnitScope_Note, kAudioUnitScope_Layer, kAudioUnitScope_LayerItem,
    ]

    static let properties: [AudioUnitPropertyID] =
        everyUnit + outputs + voiceProcessing + filePlayer + mixers

    private static let everyUnit = [
        kAudioUnitProperty_ClassInfo, kAudioUnitProperty_MakeConnection, kAudioUnitProperty_SampleRate,
        kAudioUnitProperty_ParameterList, kAudioUnitProperty_ParameterInfo, kAudioUnitProperty_CPULoad,
        kAudioUnitProperty_StreamFormat, kAudioUnitProperty_ElementCount, kAudioUnitProperty_Latency,
        kAudioUnitProperty_SupportedNumChannels, kAudioUnitProperty_MaximumFramesPerSlice,
        kAudioUnitProperty_AudioChannelLayout, kAudioUnitProperty_TailTime, kAudioUnitProperty_BypassEffect,
        kAudioUnitProperty_LastRenderError, kAudioUnitProperty_SetRenderCallback,
        kAudioUnitProperty_FactoryPresets, kAudioUnitProperty_RenderQuality,
        kAudioUnitProperty_InPlaceProcessing, kAudioUnitProperty_PresentPreset,
        kAudioUnitProperty_OfflineRender, kAudioUnitProperty_PresentationLatency,
        kAudioUnitProperty_InputSamplesInOutput, kAudioUnitProperty_ShouldAllocateBuffer,
    ]

    private static let outputs = [
        kAudioOutputUnitProperty_CurrentDevice, kAudioOutputUnitProperty_IsRunning,
        kAudioOutputUnitProperty_ChannelMap, kAudioOutputUnitProperty_EnableIO,
        kAudioOutputUnitProperty_StartTime, kAudioOutputUnitProperty_SetInputCallback,
        kAudioOutputUnitProperty_HasIO, kAudioOutputUnitProperty_StartTimestampsAtZero,
        kAudioOutputUnitProperty_OSWorkgroup,
    ]

    private static let voiceProcessing = [
        kAUVoiceIOProperty_BypassVoiceProcessing, kAUVoiceIOProperty_VoiceProcessingEnableAGC,
        kAUVoiceIOProperty_DuckNonVoiceAudio, kAUVoiceIOProperty_VoiceProcessingQuality,
        kAUVoiceIOProperty_MuteOutput, kAUVoiceIOProperty_MutedSpeechActivityEventListener,
        kAUVoiceIOProperty_OtherAudioDuckingConfiguration,
    ]

    private static let filePlayer = [
        kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitProperty_CurrentPlayTime,
        kAudioUnitProperty_ScheduledFileIDs, kAudioUnitProperty_ScheduledFileRegion,
        kAudioUnitProperty_ScheduledFilePrime,
    ]

    private static let mixers = [kAudioUnitProperty_MeteringMode]

    static let parameters: [AudioUnitParameterID] = [
        kHALOutputParam_Volume, kMultiChannelMixerParam_Volume, kMultiChannelMixerParam_Enable,
        kMultiChannelMixerParam_Pan, kMultiChannelMixerParam_PreAveragePower,
        kMultiChannelMixerParam_PrePeakHoldLevel, kMultiChannelMixerParam_PostAveragePower,
        kMultiChannelMixerParam_PostPeakHoldLevel, kStereoMixerParam_Volume, kStereoMixerParam_Pan,
        kVarispeedParam_PlaybackRate, kVarispeedParam_PlaybackCents, kNewTimePitchParam_Rate,
        kNewTimePitchParam_Pitch,
    ]
}
