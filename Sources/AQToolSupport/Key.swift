// SPDX-License-Identifier: MIT

/// A key that was pressed at a terminal.
public enum Key: Sendable, Equatable {
    case character(Character)
    case up, down, left, right
    case home, end, pageUp, pageDown
    case escape
}
