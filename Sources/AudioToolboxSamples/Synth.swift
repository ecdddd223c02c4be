// SPDX-License-Identifier: MIT

//  A soft synthesizer: a render callback mixes the voices that sound, and the main thread turns notes on and off.
//
//      Synth 69 60+64+67 - 72
//
//  Each argument is half a second: MIDI numbers of notes, joined by "+" in a chord, or "-" for a rest.

import AudioToolbox
import Foundation
import Synchronization

/// A note that begins or ends, on its path from the main thread to the callback.
struct NoteEvent {
    var note: Int
    var isOn: Bool
}

/// A note that sounds.
struct Voice {
    var note: Int
    var phase = 0.0
    /// The number of periods in a frame.
    var step: Double
    var level: Float = 0
    /// Whether the note is held; otherwise it fades.
    var isHeld = true
}

/// The voices, which only the callback uses, and the events, which the main thread adds.
final class Synth: @unchecked Sendable {
    static let mostVoices = 16
    static let mostEvents = 64
    static let loudness: Float = 0.2
    static let attackSeconds: Float = 0.005
    static let releaseSeconds: Float = 0.03

    private let sampleRate: Double
    private let voices: UnsafeMutablePointer<Voice>
    private var voiceCount = 0
    private let events: UnsafeMutablePointer<NoteEvent>
    private let addedEvents = Atomic<Int>(0)
    private let takenEvents = Atomic<Int>(0)
    /// The number of voices after the last slice.
    private let sounding = Atomic<Int>(0)

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        voices = .allocate(capacity: Synth.mostVoices)
        events = .allocate(capacity: Synth.mostEvents)
    }

    deinit {
        voices.deallocate()
        events.deallocate()
    }

    // MARK: The main thread

    /// Begins or ends a note with the next slice. Drops the event if too many wait.
    func send(_ event: NoteEvent) {
        let added = addedEvents.load(ordering: .relaxed)
        guard added - takenEvents.load(ordering: .acquiring) < Synth.mostEvents else { return }
        events[added % Synth.mostEvents] = event
        addedEvents.store(added + 1, ordering: .releasing)
    }

    /// Whether all events have been taken, and all notes have faded.
    var isSilent: Bool {
        takenEvents.load(ordering: .acquiring) == addedEvents.load(ordering: .relaxed)
            && sounding.load(ordering: .relaxed) == 0
    }

    // MARK: The unit's thread, which neither waits nor allocates memory

    /// Renders a slice into the buffer of each channel, and returns whether a voice sounds in it.
    func render(frames: Int, _ buffers: UnsafeMutableAudioBufferListPointer) -> Bool {
        takeEvents()
        guard let first = buffers[0].mData?.assumingMemoryBound(to: Float.self) else { return false }
        let hasSound = voiceCount > 0
        first.update(repeating: 0, count: frames)
        for index in 0..<voiceCount { add(&voices[index], to: first, frames: frames) }
        for index in 1..<max(1, buffers.count) {
            buffers[index].mData?.copyMemory(from: first, byteCount: frames * MemoryLayout<Float>.size)
        }
        removeFadedVoices()
        sounding.store(voiceCount, ordering: .relaxed)
        return hasSound
    }

    private func takeEvents() {
        let added = addedEvents.load(ordering: .acquiring)
        var taken = takenEvents.load(ordering: .relaxed)
        while taken < added {
            let event = events[taken % Synth.mostEvents]
            taken += 1
            if event.isOn, voiceCount < Synth.mostVoices {
                let frequency = 440 * exp2(Double(event.note - 69) / 12)
                voices[voiceCount] = Voice(note: event.note, step: frequency / sampleRate)
                voiceCount += 1
            } else if !event.isOn {
                for index in 0..<voiceCount where voices[index].note == event.note {
                    voices[index].isHeld = false
                }
            }
        }
        // After the voices have changed, so that `isSilent` cannot be early.
        sounding.store(voiceCount, ordering: .relaxed)
        takenEvents.store(taken, ordering: .releasing)
    }

    private func add(_ voice: inout Voice, to samples: UnsafeMutablePointer<Float>, frames: Int) {
        let attack = Synth.loudness / (Synth.attackSeconds * Float(sampleRate))
        let release = Synth.loudness / (Synth.releaseSeconds * Float(sampleRate))
        for frame in 0..<frames {
            voice.level =
                voice.isHeld
                ? min(Synth.loudness, voice.level + attack) : max(0, voice.level - release)
            samples[frame] += voice.level * Float(sin(2 * Double.pi * voice.phase))
            voice.phase += voice.step
            if voice.phase >= 1 { voice.phase -= 1 }
        }
    }

    private func removeFadedVoices() {
        var index = 0
        while index < voiceCount {
            if !voices[index].isHeld, voices[index].level == 0 {
                voiceCount -= 1
                voices[index] = voices[voiceCount]
            } else {
                index += 1
            }
        }
    }
}

/// The callback of the unit.
func renderSynth(
    context: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frames: UInt32,
    data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    guard let data else { return noErr }
    let synth = Unmanaged<Synth>.fromOpaque(context).takeUnretainedValue()
    if !synth.render(frames: Int(frames), UnsafeMutableAudioBufferListPointer(data)) {
        flags.pointee.insert(.unitRenderAction_OutputIsSilence)  // a hint: the memory is silent too
    }
    return noErr
}

struct AudioError: Error, CustomStringConvertible {
    let status: OSStatus
    let operation: String
    var description: String { "cannot \(operation) (error \(status))" }
}

func check(_ status: OSStatus, _ operation: String) throws {
    if status != noErr { throw AudioError(status: status, operation: operation) }
}

/// Makes a unit that plays to the default output, with the synthesizer as its callback.
func makeUnit(sampleRate: Double, _ synth: Unmanaged<Synth>) throws -> AudioUnit {
    var wanted = AudioComponentDescription()
    wanted.componentType = kAudioUnitType_Output
    wanted.componentSubType = kAudioUnitSubType_DefaultOutput
    wanted.componentManufacturer = kAudioUnitManufacturer_Apple
    guard let component = AudioComponentFindNext(nil, &wanted) else {
        throw AudioError(status: -1, operation: "find the output unit")
    }
    var made: AudioUnit?
    try check(AudioComponentInstanceNew(component, &made), "make the output unit")
    guard let unit = made else { throw AudioError(status: -1, operation: "make the output unit") }

    var format = AudioStreamBasicDescription(
        mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 32,
        mReserved: 0)
    try check(
        AudioUnitSetProperty(
            unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
            UInt32(MemoryLayout<AudioStreamBasicDescription>.size)), "set the format")
    var callback = AURenderCallbackStruct(inputProc: renderSynth, inputProcRefCon: synth.toOpaque())
    try check(
        AudioUnitSetProperty(
            unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
            UInt32(MemoryLayout<AURenderCallbackStruct>.size)), "set the callback")
    return unit
}

/// Plays chords one after the other, and returns when the last has faded.
func play(_ chords: [[Int]]) throws {
    let sampleRate = 48_000.0
    let synth = Synth(sampleRate: sampleRate)
    let context = Unmanaged.passRetained(synth)  // while there are callbacks
    defer { context.release() }
    let unit = try makeUnit(sampleRate: sampleRate, context)
    defer { AudioComponentInstanceDispose(unit) }
    try check(AudioUnitInitialize(unit), "initialize the output unit")
    try check(AudioOutputUnitStart(unit), "start the output unit")
    for chord in chords {
        for note in chord { synth.send(NoteEvent(note: note, isOn: true)) }
        Thread.sleep(forTimeInterval: 0.45)
        for note in chord { synth.send(NoteEvent(note: note, isOn: false)) }
        Thread.sleep(forTimeInterval: 0.05)
    }
    while !synth.isSilent { Thread.sleep(forTimeInterval: 0.01) }
    Thread.sleep(forTimeInterval: 0.1)  // the slices between the callback and the loudspeaker
    try check(AudioOutputUnitStop(unit), "stop the output unit")
    try check(AudioUnitUninitialize(unit), "uninitialize the output unit")
}

let chords = CommandLine.arguments.dropFirst().map { argument in
    argument == "-" ? [] : argument.split(separator: "+").map { Int($0) ?? -1 }
}
guard !chords.isEmpty, chords.joined().allSatisfy({ 0...127 ~= $0 }) else {
    FileHandle.standardError.write(Data("usage: Synth NOTE[+NOTE...]|- ...\n".utf8))
    exit(64)
}
do {
    try play(chords)
} catch {
    FileHandle.standardError.write(Data("Synth: \(error)\n".utf8))
    exit(1)
}
