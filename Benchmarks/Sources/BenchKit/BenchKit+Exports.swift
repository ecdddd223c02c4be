// SPDX-License-Identifier: MIT

// The search for the played noise and the definition of the round trip, which `aqlatency` uses too.
@_exported public import AQRoundTripAnalysis
