// SPDX-License-Identifier: MIT

@testable import AQDevices

extension PlaybackPair.State {
    /// The effect of each event on a playback stream in this state.
    ///
    /// The first line is the phase; the others are the effects of each event: the phase, the events and the calls of
    /// the server. Unnamed events have no effect.
    var table: String {
        switch self {
        case .idle:
            """
            idle
            prepare: idle | - | connect
            start: connecting | - | connect
            startInASecond: connecting | - | connect
            pause: idle | paused | -
            stop: idle | stopped | -
            flush: idle | flushed | -
            drain: idle | drained | -
            close: closed | closed | -
            """
        case .prepared:
            """
            idle
            start: running | started | write uncork
            startInASecond: running | started | write uncork
            pause: idle | paused | -
            stop: idle | stopped | -
            flush: idle | flushed | -
            drain: idle | drained | -
            close: closed | closed | end
            serverIsLost: idle | - | disconnect end
            streamFails: idle | - | end
            moved: idle | moved | subscribe server? device? time?
            sinkSleeps: idle | - | subscribe server?
            aTenthPasses: idle | - | subscribe server? device?
            sixSecondsPass: idle | - | subscribe server? device?
            """
        case .waitingForServer:
            """
            connecting
            pause: paused | paused | -
            stop: idle | stopped | -
            flush: connecting | flushed | -
            close: closed | closed | -
            serverIsLost: idle | failed | disconnect
            serverAnswers: connecting | - | device? make
            sixSecondsPass: idle | failed | disconnect
            """
        case .makingStream:
            """
            connecting
            pause: paused | paused | -
            stop: idle | stopped | -
            flush: connecting | flushed | -
            close: closed | closed | end
            serverIsLost: interrupted | interrupted | disconnect end
            streamIsMade: running | started | write
            streamFails: idle | failed | end
            """
        case .running:
            """
            running
            pause: fadingToPause | - | write
            stop: fadingToStop | stopped | write
            flush: running | flushed | write
            close: fadingToStop, close | closed | write
            serverAsks: running | - | write
            serverIsLost: interrupted | interrupted | disconnect end
            streamFails: interrupted | interrupted moved | end device? make
            moved: running | moved | subscribe server? device? time?
            sinkSleeps: running | - | subscribe server?
            aTenthPasses: running | - | subscribe server? device? time?
            sixSecondsPass: running | - | subscribe server? device? time?
            """
        case .waitingForStartTime:
            """
            running
            pause: paused | paused | cork flush time?
            stop: idle | stopped | cork flush time?
            flush: running | flushed | -
            close: closed | closed | cork flush time? end
            serverAsks: running | - | write
            serverIsLost: interrupted | interrupted | disconnect end
            streamFails: interrupted | interrupted moved | end device? make
            moved: running | moved | subscribe server? device? time?
            sinkSleeps: running | - | subscribe server?
            aTenthPasses: running | - | subscribe server? device? time?
            sixSecondsPass: running | - | time? subscribe server? device? time?
            """
        case .draining:
            """
            running
            pause: fadingToPause | - | write
            stop: fadingToStop | drained stopped | write
            flush: running | drained flushed | write
            drain: running | drained | write drain?
            close: fadingToStop, close | drained closed | write
            serverIsLost: interrupted | interrupted | disconnect end
            streamFails: interrupted | interrupted moved | end device? make
            moved: running | moved | subscribe server? device? time?
            sinkSleeps: running | - | subscribe server?
            drained: running | - | time?
            aTenthPasses: running | - | subscribe server? device? time?
            sixSecondsPass: idle | drained | subscribe server? device? time? cork flush time?
            """
        case .fadingToPause:
            """
            fadingToPause
            start: fadingToPause, start | - | -
            startInASecond: fadingToPause, start | - | -
            pause: fadingToPause | paused | -
            stop: fadingToStop | paused stopped | -
            flush: fadingToPause | flushed | -
            close: fadingToStop, close | paused closed | -
            serverIsLost: paused | paused | disconnect end
            streamFails: paused | paused | end
            moved: fadingToPause | moved | subscribe server? device? time?
            sinkSleeps: fadingToPause | - | subscribe server?
            aTenthPasses: fadingToPause | - | subscribe server? device? write time?
            sixSecondsPass: paused | paused | cork flush time? subscribe server? device?
            """
        case .fadingToStop:
            """
            fadingToStop
            start: fadingToStop, start | - | -
            startInASecond: fadingToStop, start | - | -
            pause: fadingToStop | paused | -
            stop: fadingToStop | stopped | -
            flush: fadingToStop | flushed | -
            drain: fadingToStop | drained | -
            close: fadingToStop, close | closed | -
            serverIsLost: idle | - | disconnect end
            streamFails: idle | - | end
            moved: fadingToStop | moved | subscribe server? device? time?
            sinkSleeps: fadingToStop | - | subscribe server?
            aTenthPasses: fadingToStop | - | subscribe server? device? write time?
            sixSecondsPass: idle | - | cork flush time? subscribe server? device?
            """
        case .fadingToClose:
            """
            fadingToStop, close
            pause: fadingToStop, close | paused | -
            stop: fadingToStop, close | stopped | -
            flush: fadingToStop, close | flushed | -
            drain: fadingToStop, close | drained | -
            close: fadingToStop, close | closed | -
            serverIsLost: closed | - | disconnect end
            streamFails: closed | - | end
            moved: fadingToStop, close | moved | subscribe server? device? time?
            sinkSleeps: fadingToStop, close | - | subscribe server?
            aTenthPasses: fadingToStop, close | - | subscribe server? device? write time?
            sixSecondsPass: closed | - | cork flush time? end
            """
        case .startingAfterFade:
            """
            fadingToPause, start
            pause: fadingToPause | paused | -
            stop: fadingToStop | paused stopped | -
            flush: fadingToPause, start | flushed | -
            close: fadingToStop, close | paused closed | -
            serverIsLost: connecting | paused | disconnect end connect
            streamFails: connecting | paused | end device? make
            moved: fadingToPause, start | moved | subscribe server? device? time?
            sinkSleeps: fadingToPause, start | - | subscribe server?
            aTenthPasses: fadingToPause, start | - | subscribe server? device? write time?
            sixSecondsPass: connecting | paused | cork flush time? subscribe server? device?
            """
        case .paused:
            """
            paused
            start: connecting | - | -
            startInASecond: connecting | - | -
            pause: paused | paused | -
            stop: idle | stopped | -
            flush: paused | flushed | -
            close: closed | closed | end
            serverAsks: paused | - | time?
            serverIsLost: paused | - | disconnect end
            streamFails: paused | - | end
            moved: paused | moved | device? time?
            sinkSleeps: paused | - | server?
            """
        case .interrupted:
            """
            interrupted
            pause: paused | paused | -
            stop: idle | stopped | -
            flush: interrupted | flushed | -
            close: closed | closed | -
            serverAnswers: interrupted | - | connect device? make
            aTenthPasses: interrupted | - | connect
            sixSecondsPass: idle | failed | connect disconnect connect
            """
        case .resuming:
            """
            interrupted
            pause: paused | paused | -
            stop: idle | stopped | -
            flush: interrupted | flushed | -
            close: closed | closed | end
            serverIsLost: interrupted | - | disconnect end
            streamIsMade: running | started resumed | write
            streamFails: interrupted | - | end
            sixSecondsPass: idle | failed | end
            """
        case .closed:
            """
            closed
            pause: closed | paused | -
            stop: closed | stopped | -
            flush: closed | flushed | -
            drain: closed | drained | -
            close: closed | closed | -
            """
        }
    }
}
