// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox

/// A client's render procedure with its context.
@safe struct RenderProcedure: @unchecked Sendable {
    /// The procedure's type with a context that may be NULL.
    ///
    /// COMPAT: the published type does not allow NULL, and many programs pass it.
    private typealias Procedure =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<AudioUnitRenderActionFlags>,
            UnsafePointer<AudioTimeStamp>, UInt32, UInt32, UnsafeMutablePointer<AudioBufferList>?
        ) -> OSStatus

    // SAFETY: by its contract the procedure and its context may be used on the unit's thread.
    private let procedure: Procedure
    private let context: UnsafeMutableRawPointer?

    init(_ procedure: @escaping AURenderCallback, _ context: UnsafeMutableRawPointer?) {
        // SAFETY: the types differ only in whether the first pointer may be NULL.
        unsafe self.procedure = unsafeBitCast(procedure, to: Procedure.self)
        unsafe self.context = context
    }

    /// The procedure as code for a unit.
    var code: RenderCode {
        unsafe RenderCode { actions, time, bus, frames, list in
            unsafe withUnsafeMutablePointer(to: &actions.pointee.rawValue) { flags in
                unsafe flags.withMemoryRebound(to: AudioUnitRenderActionFlags.self, capacity: 1) { flags in
                    unsafe procedure(context, flags, time, UInt32(bus), UInt32(frames), list)
                }
            }
        }
    }
}
