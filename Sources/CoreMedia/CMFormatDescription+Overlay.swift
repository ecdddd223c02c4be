// SPDX-License-Identifier: MIT

public import CAQCoreMedia

// Both never change, so that threads may share them. Block buffers and sample buffers do change.

extension CMFormatDescription: @retroactive @unchecked Sendable {}
extension CMClock: @retroactive @unchecked Sendable {}
