// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox

extension UnitPropertyData {
    /// The bytes as an `AURenderCallbackStruct`; nil if they are none, or its procedure is NULL.
    func renderCode() throws(UnitError) -> RenderCode? {
        if isEmpty { return nil }
        let callback: RenderCallbackAddresses = try value()
        return callback.procedure?.code
    }
}

/// The two addresses of an `AURenderCallbackStruct`, whose procedure may be NULL.
@safe private struct RenderCallbackAddresses: BitwiseCopyable {
    // SAFETY: the client guarantees that the first address is that of a procedure, or NULL.
    private let procedureAddress: UInt
    private let contextAddress: UInt

    var procedure: RenderProcedure? {
        guard procedureAddress != 0 else { return nil }
        return unsafe RenderProcedure(
            unsafeBitCast(procedureAddress, to: AURenderCallback.self),
            UnsafeMutableRawPointer(bitPattern: contextAddress))
    }
}
