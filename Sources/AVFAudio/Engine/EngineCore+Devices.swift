// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import Foundation
import Synchronization

/// Devices, voice processing, and the input of manual rendering.
extension EngineCore {
    /// Finds the formats of the devices, for the formats of nodes before the first start.
    func findHardware() {
        guard withState({ !$0.isRunning && $0.manual == nil }) else { return }
        let hardware = io.hardware()
        withState { $0.hardware = hardware }
    }

    func setVoice(_ isEnabled: Bool) throws {
        try operateThrowing {
            guard withState({ !$0.isRunning && $0.manual == nil }) else {
                throw AVAudioFailure.error(
                    kAudioUnitErr_Initialized, "cannot change voice processing: the engine runs")
            }
            try io.setVoice(isEnabled)
        }
        findHardware()
    }

    func setManualInput(_ format: AVAudioFormat, _ block: @escaping AVAudioIONodeInputBlock) -> Bool {
        guard format.commonFormat != .otherFormat, format.channelCount > 0 else { return false }
        let input = unsafe ManualInput(block, format)
        let isSet = withState { state in
            guard state.manual != nil else { return false }
            state.manual?.inputFormat = format.graphFormat
            return true
        }
        guard isSet, whileIdle({ _ in manualInput.set(input) }) else { return false }
        graphChanged()
        return true
    }
}

/// The input of manual rendering, for the rendering thread.
final class ManualInputPlace: @unchecked Sendable {
    // SAFETY: set while nothing is rendered, and read by the rendering thread.
    private var input: ManualInput?
    private let isUsed = Atomic<Bool>(false)

    func set(_ input: ManualInput) {
        self.input = input
        isUsed.store(true, ordering: .releasing)
    }

    /// Ends the use of the input, also while a slice is rendered.
    func end() { isUsed.store(false, ordering: .releasing) }

    private var current: ManualInput? { isUsed.load(ordering: .acquiring) ? input : nil }

    /// Whether a block had too few frames since the last ``begin()``.
    var hasLacked: Bool { current?.hasLacked ?? false }

    func begin() { current?.begin() }

    /// Fills a slice; nil if there is no such input.
    func read(_ target: PlanarSamples) -> Bool? { current?.read(target) }
}
