// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox

/// A distortion of an ``AVAudioUnitDistortion``.
public enum AVAudioUnitDistortionPreset: Int, Sendable {
    case drumsBitBrush = 0
    case drumsBufferBeats = 1
    case drumsLoFi = 2
    case multiBrokenSpeaker = 3
    case multiCellphoneConcert = 4
    case multiDecimated1 = 5
    case multiDecimated2 = 6
    case multiDecimated3 = 7
    case multiDecimated4 = 8
    case multiDistortedFunk = 9
    case multiDistortedCubed = 10
    case multiDistortedSquared = 11
    case multiEcho1 = 12
    case multiEcho2 = 13
    case multiEchoTight1 = 14
    case multiEchoTight2 = 15
    case multiEverythingIsBroken = 16
    case speechAlienChatter = 17
    case speechCosmicInterference = 18
    case speechGoldenPi = 19
    case speechRadioTower = 20
    case speechWaves = 21
}

/// Distortion: limits, a lower rate or fewer bits, multiplication with a tone, and short echoes.
///
/// Numbers outside the range of a parameter become the nearest limit. NaN is ignored. The distortions have the published
/// names; their properties are those of this package.
open class AVAudioUnitDistortion: AVAudioUnitEffect {
    private let element = DistortionElement()

    /// Makes a distortion with ``AVAudioUnitDistortionPreset/drumsBitBrush``.
    public init() {
        super.init(
            element, subtype: EffectCatalogue.distortionSubtype, name: EffectCatalogue.distortionName)
    }

    /// Changes the distortion.
    open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) { element.preset = preset.rawValue }

    /// The gain before the distortion in decibels, -80 to 20; initially -6.
    open var preGain: Float {
        get { element.preGain.value }
        set { element.preGain.value = newValue }
    }

    /// The part of the distorted audio in the output in percent, 0 to 100; initially 50.
    open var wetDryMix: Float {
        get { element.wetDryMix.value }
        set { element.wetDryMix.value = newValue }
    }
}
