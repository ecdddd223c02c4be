/// The server's reports on whether it plays the written audio.
struct Standstill {
    /// Whether the server has reported that it plays, and no underrun after that.
    private(set) var isSounding = false
    /// The end of the written audio when the server last reported an underrun, in device frames.
    private(set) var dryFrame: Int64 = 0
    /// The end of the written audio when the last check was scheduled, in device frames.
    private(set) var watchedFrame: Int64 = 0

    @_noLocks mutating func begins() { isSounding = false }
    @_noLocks mutating func sounds() { isSounding = true }

    @_noLocks mutating func ranDry(writtenTo frame: Int64) {
        isSounding = false
        dryFrame = frame
    }

    @_noLocks mutating func watch(upTo frame: Int64) { watchedFrame = frame }
}
