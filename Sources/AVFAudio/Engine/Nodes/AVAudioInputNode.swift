// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import Foundation

/// The microphone of an engine, or of a caller in manual rendering.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing {
    init(_ core: EngineCore) {
        let slices = core.io.slices
        let manual = core.manualInput
        let element = SourceElement { target, _ in manual.read(target) ?? slices.capture(target) }
        super.init(part: NodePart(element, .input, inputs: 1, outputs: 1))
        core.findHardware()
    }

    /// Sets the block that provides the input of manual rendering.
    ///
    /// - Parameter block: Returns the frames that it is asked for, or fewer. Called by the thread that renders.
    /// - Returns: False unless a caller renders, or if the format is not supported.
    open func setManualRenderingInputPCMFormat(
        _ format: AVAudioFormat, inputBlock block: @escaping AVAudioIONodeInputBlock
    ) -> Bool {
        unsafe part.core?.setManualInput(format, block) ?? false
    }

    // MARK: Voice processing

    /// How much quieter other audio is. Kept, without effect.
    open var voiceProcessingOtherAudioDuckingConfiguration =
        AVAudioVoiceProcessingOtherAudioDuckingConfiguration()

    /// Whether the audio is passed unchanged although voice processing is enabled. It remains true if the server cannot
    /// cancel echo.
    open var isVoiceProcessingBypassed: Bool {
        get { voice(kAUVoiceIOProperty_BypassVoiceProcessing) != 0 }
        set { setVoice(kAUVoiceIOProperty_BypassVoiceProcessing, newValue ? 1 : 0) }
    }

    /// Whether the level of the voice is controlled. Initially true.
    open var isVoiceProcessingAGCEnabled: Bool {
        get { voice(kAUVoiceIOProperty_VoiceProcessingEnableAGC) != 0 }
        set { setVoice(kAUVoiceIOProperty_VoiceProcessingEnableAGC, newValue ? 1 : 0) }
    }

    /// Whether the input is silent.
    open var isVoiceProcessingInputMuted: Bool {
        get { voice(kAUVoiceIOProperty_MuteOutput) != 0 }
        set { setVoice(kAUVoiceIOProperty_MuteOutput, newValue ? 1 : 0) }
    }

    private func voice(_ property: UInt32) -> UInt32 {
        var (value, size): (UInt32, UInt32) = (0, 4)
        guard isVoiceProcessingEnabled, let unit = unsafe audioUnit,
            unsafe AudioUnitGetProperty(unit, property, kAudioUnitScope_Global, 0, &value, &size) == noErr
        else { return 0 }
        return value
    }

    private func setVoice(_ property: UInt32, _ value: UInt32) {
        var value = value
        guard isVoiceProcessingEnabled, let unit = unsafe audioUnit else {
            return MisuseNote.write("voice processing is not enabled")
        }
        let status = unsafe AudioUnitSetProperty(unit, property, kAudioUnitScope_Global, 0, &value, 4)
        if status != noErr {
            MisuseNote.write("cannot change voice processing: \(AVAudioFailure.text(status))")
        }
    }
}
