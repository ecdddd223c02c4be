// SPDX-License-Identifier: MIT

@testable import AQDevices

extension CapturePair.State {
    /// The effect of each event on a capture stream in this state.
    ///
    /// The first line is the phase; the others are the effects of each event: the phase, the events and the calls of
    /// the server. Unnamed events have no effect.
    var table: String {
        switch self {
        case .idle:
            """
            idle
            start: connecting | - | connect
            startInASecond: connecting | - | connect
            pause: idle | paused | -
            stop: idle | stopped | -
            flush: idle | flushed | -
            reset: idle | reset | -
            close: closed | closed | -
            """
        case .waitingForServer:
            """
            connecting
            pause: paused | paused | -
            stop: idle | stopped | -
            flush: connecting | flushed | -
            reset: connecting | reset | -
            close: closed | closed | -
            serverIsLost: idle | failed | disconnect
            serverAnswers: connecting | - | device? make
            sixSecondsPass: idle | failed | disconnect
            """
        case .makingStream:
            """
            connecting
            pause: paused | paused | end
            stop: idle | stopped | end
            flush: connecting | flushed | -
            reset: connecting | reset | -
            close: closed | closed | end
            serverIsLost: interrupted | interrupted | disconnect end
            streamIsMade: connecting | started | subscribe server? device?
            streamFails: idle | failed | end
            """
        case .waitingForFrames:
            """
            connecting
            pause: ending | - | sizes
            stop: ending | - | sizes
            flush: connecting | flushed | -
            reset: connecting | reset | -
            close: closed | closed | end
            framesCome: running | - | -
            serverIsLost: interrupted | interrupted | disconnect end
            streamFails: interrupted | interrupted | end
            moved: connecting | moved | device?
            sourceSleeps: connecting | interrupted | -
            """
        case .running:
            """
            running
            pause: ending | - | sizes
            stop: ending | - | sizes
            flush: running | flushed | -
            reset: running | reset | -
            close: closed | closed | end
            serverIsLost: interrupted | interrupted | disconnect end
            streamFails: interrupted | interrupted | end
            moved: running | moved | device?
            sourceSleeps: running | interrupted | -
            """
        case .waitingForStartTime:
            """
            running
            pause: paused | paused | end
            stop: idle | stopped | end
            flush: running | flushed | -
            reset: running | reset | -
            close: closed | closed | end
            serverIsLost: interrupted | interrupted | disconnect end
            streamFails: interrupted | interrupted | end
            moved: running | moved | device?
            sourceSleeps: running | interrupted | -
            """
        case .sleeping:
            """
            running
            pause: paused | paused | end
            stop: idle | stopped | end
            flush: running | flushed | -
            reset: running | reset | -
            close: closed | closed | end
            serverIsLost: interrupted | interrupted | disconnect end
            streamFails: interrupted | interrupted | end
            moved: running | moved | device?
            """
        case .endingForPause:
            """
            ending
            pause: ending | paused | -
            stop: ending | paused | -
            flush: ending | flushed | -
            reset: ending | reset | -
            close: closed | paused closed | end
            framesCome: paused | paused | end
            serverIsLost: paused | paused | disconnect end
            streamFails: paused | paused | end
            moved: ending | moved | device?
            sourceSleeps: paused | paused | end
            sixSecondsPass: paused | paused | end
            """
        case .endingForStop:
            """
            ending
            pause: ending | stopped | -
            stop: ending | stopped | -
            flush: ending | flushed | -
            reset: ending | reset | -
            close: closed | stopped closed | end
            framesCome: idle | stopped | end
            serverIsLost: idle | stopped | disconnect end
            streamFails: idle | stopped | end
            moved: ending | moved | device?
            sourceSleeps: idle | stopped | end
            sixSecondsPass: idle | stopped | end
            """
        case .startingAgain:
            """
            ending
            pause: ending | paused | -
            stop: ending | paused | -
            flush: ending | flushed | -
            reset: ending | reset | -
            close: closed | paused closed | end
            framesCome: connecting | paused | end device? make
            serverIsLost: connecting | paused | disconnect end connect
            streamFails: connecting | paused | end device? make
            moved: ending | moved | device?
            sourceSleeps: connecting | paused | end device? make
            sixSecondsPass: connecting | paused | end device? make
            """
        case .paused:
            """
            paused
            start: connecting | - | device? make
            startInASecond: connecting | - | device? make
            pause: paused | paused | -
            stop: idle | stopped | -
            flush: paused | flushed | -
            reset: paused | reset | -
            close: closed | closed | -
            serverIsLost: paused | - | disconnect
            """
        case .interrupted:
            """
            interrupted
            pause: paused | paused | -
            stop: idle | stopped | -
            flush: interrupted | flushed | -
            reset: interrupted | reset | -
            close: closed | closed | -
            serverAnswers: interrupted | - | connect device? make
            aTenthPasses: interrupted | - | connect
            sixSecondsPass: idle | failed | connect disconnect connect
            """
        case .resuming:
            """
            interrupted
            pause: paused | paused | end
            stop: idle | stopped | end
            flush: interrupted | flushed | -
            reset: interrupted | reset | -
            close: closed | closed | end
            serverIsLost: interrupted | - | disconnect end
            streamIsMade: interrupted | - | subscribe server? device?
            streamFails: interrupted | - | end
            sixSecondsPass: idle | failed | end
            """
        case .closed:
            """
            closed
            pause: closed | paused | -
            stop: closed | stopped | -
            flush: closed | flushed | -
            reset: closed | reset | -
            close: closed | closed | -
            """
        }
    }
}
