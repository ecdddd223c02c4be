// SPDX-License-Identifier: MIT

/// The output is the first input in another format.
final class ConverterStage: PullStage {
    @unsafe func render(_ slice: PulledSlice) -> Int32 {
        // The first input always exists.
        guard let input = unsafe slice.inputs[0] else { return UnitError.Code.noConnection.rawValue }
        return unsafe input.fill(
            slice.list, frames: slice.frames, slice.actions, slice.time, isGiven: slice.isGiven)
    }

    func reset() {}
}
