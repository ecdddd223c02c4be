// SPDX-License-Identifier: MIT

func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
    let hundredths = Int((abs(value) * 100).rounded())
    let decimals = hundredths % 100
    return (value < 0 ? "-" : "") + "\(hundredths / 100)." + (decimals < 10 ? "0" : "") + "\(decimals)"
}
