// SPDX-License-Identifier: MIT

package import Dispatch

/// Something that a player plays: the frames of a buffer, or of a file.
///
/// It is passed to the rendering thread, and after the end to the messenger, which has the handler called.
package final class PlayItem: PassedObject, @unchecked Sendable {
    // SAFETY: one thread at a time has the item; content and settings never change.

    /// When an item begins.
    package enum Start: Sendable, Equatable {
        /// After the item before, or now if there is none.
        case next
        /// At a time of the player.
        case playerTime(Int64)
        /// When its first frame is to be heard.
        case hostTime(UInt64)
    }

    package struct Options: Sendable {
        /// Begins again at the end, until another item interrupts.
        package var loops = false
        /// Ends all items before.
        package var interrupts = false
        /// Ends the item before at the end of its loop.
        package var interruptsAtLoop = false

        package init() {}
    }

    /// The handler that is called when the item is no longer needed.
    package enum Moment: Sendable { case consumed, rendered, heard }

    let content: any PlayContent
    let start: Start
    let options: Options
    private let moment: Moment
    private let queue: DispatchQueue
    private var handler: (@Sendable () -> Void)?
    /// The item that follows in the player's queue.
    var following: PlayItem?
    /// Whether its first frame was played.
    var hasBegun = false
    /// The time at which the end is audible; 0 for at once.
    var audibleTime: UInt64 = 0

    package init(
        _ content: any PlayContent, start: Start, options: Options = Options(), moment: Moment,
        on queue: DispatchQueue, _ handler: (@Sendable () -> Void)?
    ) {
        self.content = content
        self.start = start
        self.options = options
        self.moment = moment
        self.queue = queue
        self.handler = handler
    }

    func isDue(at time: UInt64) -> Bool { moment != .heard || audibleTime <= time }

    /// Calls the handler on the client's queue, once.
    func callHandler() {
        guard let handler else { return }
        self.handler = nil
        queue.async(execute: handler)
    }
}

/// The frames of an item. Used by the rendering thread, except where marked.
package protocol PlayContent: AnyObject, Sendable {
    /// Reads frames into the beginning of `target`, which may have other channels, and returns their number; 0 if they
    /// are not there yet.
    func read(from position: Int64, into target: PlanarSamples, _ call: RenderCall) -> Int

    /// The number of frames; nil if it is not known yet.
    var length: Int64? { get }
}
