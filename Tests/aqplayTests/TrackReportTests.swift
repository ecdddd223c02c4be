// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import AQDevices
import CoreAudioTypes
import AQDeviceListing
import Testing

@testable import aqplay

@Suite("TrackReport")
struct TrackReportTests {
    private var report: TrackReport {
        TrackReport(
            file: "a \"b\".mp3", container: "MPEG audio",
            format: AudioStreamBasicDescription(
                mSampleRate: 44_100, mFormatID: kAudioFormatMPEGLayer3, mFormatFlags: 0, mBytesPerPacket: 0,
                mFramesPerPacket: 0, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0
            ),
            framesPlayed: 441_000, underruns: 1, damagedPackets: 2, requestedLatencySeconds: 0.5,
            granted: GrantedLatency(
                targetFrames: 22_050, requestFrames: 100, measuredSeconds: 0.25, deviceName: "speaker",
                deviceSampleRate: 48_000, deviceChannels: 2),
            warnings: ["frame 7: no header"], error: nil)
    }

    @Test("a track that was played, as JSON")
    func json() {
        expectEqual(
            report.json,
            #"{"file":"a \"b\".mp3","container":"MPEG audio","format":"44100 Hz, 2 ch, MPEG layer 3","#
                + #""sampleRate":44100,"channels":2,"framesPlayed":441000,"secondsPlayed":10.000000,"#
                + #""replayGain":null,"replayGainDecibels":null,"speed":1.000,"underruns":1,"#
                + #""damagedPackets":2,"device":"speaker","requestedLatencySeconds":0.500000,"#
                + #""grantedLatencySeconds":0.500000,"measuredLatencySeconds":0.250000,"#
                + #""warnings":["frame 7: no header"],"error":null}"#)
    }

    @Test("a track that could not be opened, as JSON")
    func failedJSON() {
        expectEqual(
            TrackReport(file: "x", error: "cannot open 'x': no such file or directory").json,
            #"{"file":"x","container":null,"format":null,"sampleRate":null,"channels":null,"framesPlayed":0,"#
                + #""secondsPlayed":0.000000,"replayGain":null,"replayGainDecibels":null,"speed":1.000,"underruns":0,"damagedPackets":0,"device":null,"#
                + #""requestedLatencySeconds":null,"grantedLatencySeconds":null,"measuredLatencySeconds":null,"#
                + #""warnings":[],"error":"cannot open 'x': no such file or directory"}"#)
    }

    @Test("the line at the end")
    func endLine() {
        expectEqual(
            report.endLine,
            "'a \"b\".mp3': played 441000 frames (10.000 s), 1 underrun, on 'speaker' (48000 Hz, 2 ch), "
                + "latency requested 500.0 ms, granted 500.0 ms, measured 250.0 ms")
    }

    @Test("the line at the end of a short track, at another speed and with the latency of the environment")
    func otherEndLine() {
        var report = report
        report.speed = 1.21
        report.requestedLatencySeconds = nil
        report.granted?.measuredSeconds = 0
        expectEqual(
            report.endLine,
            "'a \"b\".mp3': played 441000 frames (10.000 s), 1 underrun, at speed 1.21, on 'speaker' "
                + "(48000 Hz, 2 ch), latency requested by AQ_LATENCY, granted 500.0 ms")
    }

    @Test("devices are listed in columns, without control characters")
    func deviceTable() {
        let devices = [
            DeviceInfo(
                name: "alsa_output.pci", description: "Built-in\u{1B}[2J", sampleRate: 48_000, channels: 2,
                isDefault: true),
            DeviceInfo(
                name: "usb", description: "Headset", sampleRate: 44_100, channels: 1, isDefault: false),
        ]
        expectEqual(
            DeviceList(devices, virtual: PlayTool.virtualDescription).table,
            """
            alsa_output.pci  Built-in?[2J (48000 Hz, 2 ch, default)
            usb              Headset (44100 Hz, 1 ch)
            virtual          plays in real time without sound and without a server

            """)
    }
}
