// SPDX-License-Identifier: MIT

// The keys of the dictionaries that describe formats, encoders and files, and the strings among their values. Each is
// named as its value unless it says so.

/// The format ID, as `kAudioFormatLinearPCM`.
public let AVFormatIDKey = "AVFormatIDKey"
/// The frames per second.
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"

/// The bits of a sample of linear PCM: 8, 16, 24 or 32, and 64 for floats.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has a buffer of its own. Files are interleaved whatever it is.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// The type of a file that is written, as `kAudioFileWAVEType`; without it, the extension of the name decides.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

/// The raw value of an ``AVAudioQuality``, for an encoder.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// The raw value of an ``AVAudioQuality``, for an encoder of variable bit rate.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// Bits per second of all channels.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// One of the strings named `AVAudioBitRateStrategy_…`.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// The bits of a sample that a lossless encoder keeps: 16, 20, 24 or 32.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// One of the strings named `AVSampleRateConverterAlgorithm_…`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The raw value of an ``AVAudioQuality``, for conversion of the sample rate.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterAudioQualityKey"

public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// The bytes of an `AudioChannelLayout`, as `Data`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
