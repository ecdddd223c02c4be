/// A parameter that changes with a buffer.
package enum QueueParameterEvent: Sendable, Equatable {
    case volume(Float, rampSeconds: Float)
    case playRate(Float)
    case pitch(cents: Float)
    case pan(Float)
}
