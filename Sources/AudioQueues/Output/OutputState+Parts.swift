extension OutputState {
    /// How far the first of the items that wait has come.
    struct Front {
        /// Its number; 0 for none that has begun.
        var number: UInt64 = 0
        /// Frames of silence that are still to be put before it.
        var silentFrames = 0
        /// Frames that were decoded of it.
        var frames = 0
    }

    /// What the engine's thread knows of the effects' chain.
    struct ChainProgress {
        /// What the chain answered when it was last asked for frames, and got none since.
        enum Answer { case frames, nothing, nothingUrgently }

        var answer = Answer.frames
        /// Whether decoded frames wait in it.
        var holdsFrames = false
        /// Whether the end of a sequence was marked, and what comes before it did not all come out.
        var isEnding = false
        /// Whether the engine's thread has something to do for it, as far as it has looked.
        var hasWork = false
        /// Whether it processes just now, without the lock.
        var isProcessing = false
        /// Whether the tap is to be taken out, since the queue was disposed of.
        var dropsTap = false

        /// Whether anything is still to come out without more going in.
        var isEmpty: Bool { !holdsFrames && !isEnding }

        mutating func didGet(frames: Int) {
            guard frames > 0 else { return }
            holdsFrames = true
            answer = .frames
            hasWork = true
        }

        mutating func didMarkEnd() {
            isEnding = true
            answer = .frames
            hasWork = true
        }

        /// Whether there is a use in asking for frames.
        func canGive(isUrgent: Bool) -> Bool {
            switch answer {
            case .frames: !isEmpty
            case .nothing: isUrgent && !isEmpty
            case .nothingUrgently: false
            }
        }
    }

    /// The parameters of effects.
    struct Effects {
        var pan: Float = 0
        var playRate: Float = 1
        var pitchCents: Float = 0
        var isBypassed = false

        /// Takes note of what changes with a buffer and is not the device's.
        mutating func note(_ events: [QueueParameterEvent], hasChain: Bool) {
            for event in events {
                switch event {
                case .volume: break
                case .playRate(let rate): playRate = EffectChain.validRate(rate)
                case .pitch(let cents): pitchCents = EffectChain.validPitch(cents: cents)
                case .pan(let pan): if hasChain { self.pan = EffectChain.validPan(pan) }
                }
            }
        }
    }

    /// What a queue without a device knows of the calls that render it.
    struct Rendering {
        /// Whether a call is under way, which uses the queue's memory.
        var isUnderWay = false
        /// Whether that call uses the decoder or the effects just now, without the lock.
        var isWorking = false
        /// Frames that were handed on to be rendered.
        var framesInDevice = 0
        /// Frames that were rendered of the present stream.
        var renderedFrames = 0
        /// Buffers that were decoded, each with how many frames have to be rendered before it goes back: who hears that
        /// a file is at its end has all of it with the frames that were asked for.
        var held = FIFO<(item: OutputItem, frames: Int)>()
        /// Counts what begins anew, so that frames before are not taken for frames behind.
        var streams: UInt64 = 0
        /// Whether the queue was ever started: from its end on there is nothing to render, which is no error.
        var wasStarted = false
        /// Whether the last frame was rendered, what the conversion had held back included.
        var hasGivenAll = false
    }
}
