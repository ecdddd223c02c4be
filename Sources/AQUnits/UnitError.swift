// SPDX-License-Identifier: MIT

/// An error of an audio unit, with the published status.
public struct UnitError: Error, Equatable, CustomStringConvertible {
    /// The raw values are the published statuses, `kAudioUnitErr_…` and `kAudio_ParamError`.
    public enum Code: Int32, Sendable, CaseIterable {
        case invalidProperty = -10879
        case invalidParameter = -10878
        /// There is no such bus.
        case invalidElement = -10877
        /// A bus has neither a render callback nor a connection.
        case noConnection = -10876
        /// The device cannot be used.
        case failedInitialization = -10875
        /// More frames than the unit's maximum were requested.
        case tooManyFramesToProcess = -10874
        /// The format is not linear PCM, or contradicts itself.
        case formatNotSupported = -10868
        case uninitialized = -10867
        case invalidScope = -10866
        case propertyNotWritable = -10865
        /// No captured frames are available now, or fewer than requested.
        case cannotDoInCurrentContext = -10863
        case invalidPropertyValue = -10851
        case propertyNotInUse = -10850
        /// The call is only allowed before the unit is initialized.
        case initialized = -10849
        case unauthorized = -10847
        /// A parameter cannot have this value.
        case invalidParameterValue = -66743
        /// Units of this kind do not have the function.
        case unimplemented = -4
        /// A size, pointer or number of buffers is invalid.
        case parameter = -50
    }

    public var code: Code
    /// The attempted operation and the reason, on one line.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
