// SPDX-License-Identifier: MIT

/// The plan that an initialized unit renders with.
extension PulledUnit {
    /// Makes a plan for other settings. Inputs that do not change are kept, with the audio that they hold.
    func makePlan(_ settings: Settings, replacing old: RenderPlan?) throws(UnitError) -> RenderPlan {
        let client = try ClientFormat(settings.output.samples, resamples: true)
        let output = try SliceBuffers(client, checkedFrames: settings.maximumFrames)
        let target: InputBus.Target
        let stage: any PullStage
        switch kind {
        case .converter:
            target = InputBus.Target(client: settings.output, scale: client.scale)
            stage = ConverterStage()
        case .mixer:
            target = InputBus.Target(client: MixerStage.mixFormat(of: settings.output))
            stage = MixerStage(output, outputControls, hooks)
        case .speed:
            target = InputBus.Target(
                client: MixerStage.mixFormat(of: settings.output), countsOwnFrames: true)
            guard let speed else { throw UnitError(.failedInitialization, "cannot initialize: no stretcher") }
            stage = try SpeedStage(output, speed)
        }
        var inputs: [InputBus?] = []
        for index in settings.inputs.indices {
            inputs.append(
                try input(
                    index, settings, target,
                    old: old.flatMap { $0.inputs.indices ~= index ? $0.inputs[index] : nil }))
        }
        return RenderPlan(
            maximumFrames: settings.maximumFrames, lendsMemory: settings.lendsMemory, inputs: inputs,
            output: output, stage: stage)
    }

    private func input(
        _ index: Int, _ settings: Settings, _ target: InputBus.Target, old: InputBus?
    ) throws(UnitError) -> InputBus? {
        let input = settings.inputs[index]
        // `process` needs the first input without a source.
        guard input.isUsed || index == 0 else { return nil }
        if let old,
            old.matches(input.controls, input.format, target, settings.maximumFrames, settings.quality)
        {
            return old
        }
        return try InputBus(
            index, input.controls, input.format, to: target, maximumFrames: settings.maximumFrames,
            quality: settings.quality)
    }
}
