// SPDX-License-Identifier: MIT

public import CCoreMedia

// Both never change, so that threads may share them. Block buffers and sample buffers do change.

extension CMFormatDescription: @retroactive @unchecked Sendable {}
extension CMClock: @retroactive @unchecked Sendable {}
