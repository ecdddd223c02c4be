/// Whether the server plays what was written, as far as it reports that.
struct Standstill {
    /// The server said that it plays what was written, and has not run dry since.
    private(set) var isSounding = false
    /// The end of what was written when the server said last that it has nothing to play, in device frames.
    private(set) var dryFrame: Int64 = 0
    /// The end of what was written when that was looked after last, in device frames.
    private(set) var watchedFrame: Int64 = 0

    @_noLocks mutating func begins() { isSounding = false }
    @_noLocks mutating func sounds() { isSounding = true }

    @_noLocks mutating func ranDry(writtenTo frame: Int64) {
        isSounding = false
        dryFrame = frame
    }

    @_noLocks mutating func watch(upTo frame: Int64) { watchedFrame = frame }
}
