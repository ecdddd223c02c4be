import AudioFiles
import CoreAudioTypes
import ToolSupport

extension FileSequence {
    /// What the files are like.
    struct Plan {
        var target: RecordingTarget
        /// What is appended.
        var format: AudioStreamBasicDescription
        /// What that is encoded to; nil if the files hold it, or encode it themselves.
        var encoding: RecordingEncoding?
        /// Of an encoder in the file's own writer.
        var bitRate: Int?
        var split: RecordOptions.Split?
        var overwrites = false
        /// After how many frames a file is forced to the disk, and at its end; nil for not at all.
        var syncFrames: Int64?
        /// The file that the sound comes from, if it is one: none of ours, whatever is overwritten.
        var source: FileIdentity?
        /// Nil when levels are not to be measured.
        var scanner: SampleScanner?

        /// Whether an encoder decides how large a file becomes.
        var isEncoded: Bool { encoding != nil || target.type == .mp3 || target.type == .flac }
    }
}
