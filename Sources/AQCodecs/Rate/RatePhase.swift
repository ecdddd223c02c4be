// SPDX-License-Identifier: MIT

/// The phase of the filter that resamples.
public enum RatePhase: Sendable {
    /// All frequencies are in time. The filter rings equally before and after a step, and has half of its length as delay.
    case linear
    /// Only low frequencies are in time; higher ones are late by up to some frames of the lower rate. The filter rings
    /// after a step only, and its delay is less than 10 frames of the lower rate.
    case minimum
}
