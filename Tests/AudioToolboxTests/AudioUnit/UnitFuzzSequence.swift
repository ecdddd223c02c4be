// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import Foundation
import Synchronization
import AQTestSupport

@testable import AQToolboxFunctions

/// One random sequence of calls on units, from several threads and from callbacks.
final class UnitFuzzSequence: Sendable {
    private static let subtypes = [
        kAudioUnitSubType_HALOutput, kAudioUnitSubType_RemoteIO, kAudioUnitSubType_DefaultOutput,
        kAudioUnitSubType_SystemOutput,
    ]

    let random: Monitor<SplitMix>
    /// The number of callbacks that make calls.
    let callbackBudget: Atomic<Int>
    let problems = Monitor<[String]>([])
    /// The numbers of callbacks, by direction.
    let outputs = Tally()
    let inputs = Tally()
    private let clients = Monitor<[UnitFuzzClient]>([])

    init(_ random: inout SplitMix) {
        self.random = Monitor(SplitMix(random.next()))
        callbackBudget = Atomic(random.chance(3) ? 0 : 40)
    }

    func note(_ problem: String) { problems.withLock { $0.append(problem) } }

    /// A generator for one thread or callback.
    func makeRandom() -> SplitMix { random.withLock { SplitMix($0.next()) } }

    /// Checks the status and the time of a call.
    @discardableResult
    func attempt(_ name: String, _ call: () -> OSStatus) -> OSStatus {
        let began = aq_host_time()
        let status = call()
        // The results of AUComponent.h.
        let isExpected = status == noErr || status == kAudio_ParamError || -10_879...(-10_847) ~= status
        if !isExpected { note("\(name): \(status)") }
        // No call should reach its time limit here.
        if aq_host_time() - began > 1_900_000_000 { note("\(name) waited in vain") }
        return status
    }

    func makeUnit(output: any OutputDevice, input: any InputDevice, random: inout SplitMix) {
        var wanted = AudioComponentDescription()
        wanted.componentSubType = Self.subtypes[Int.random(in: 0..<Self.subtypes.count, using: &random)]
        let component = unsafe audioComponentFindNext(nil, &wanted)
        var unit: AudioComponentInstance?
        let status = TestDevices.with(output: output, input: input) {
            unsafe audioComponentInstanceNew(component, &unit)
        }
        guard status == noErr, let made = unsafe unit else { return note("no unit: \(status)") }
        let client = unsafe UnitFuzzClient(made, of: self)
        clients.withLock { $0.append(client) }
        client.prepare(&random)
    }

    /// Another unit than that of a callback, or the same.
    func anyClient(_ random: inout SplitMix) -> UnitFuzzClient? {
        clients.withLock { $0.randomElement(using: &random) }
    }

    func act(_ count: Int, _ random: inout SplitMix) {
        for _ in 0..<count {
            anyClient(&random)?.act(&random)
            if random.chance(3) { usleep(UInt32.random(in: 0..<1000, using: &random)) }
        }
    }

    /// Makes the calls, ends the units, and waits until nothing of them is left.
    func run(output: any OutputDevice, input: any InputDevice, random: inout SplitMix) {
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            makeUnit(output: output, input: input, random: &random)
        }
        let others = Int.random(in: 0...2, using: &random)
        let ended = Tally()
        for _ in 0..<others {
            let seed = random.next()
            Thread.detachNewThread { [self] in
                var random = SplitMix(seed)
                act(15, &random)
                ended.add()
            }
        }
        act(Int.random(in: 1..<40, using: &random), &random)
        if !eventually(within: 20, { ended.now == others }) { note("another thread hangs") }
        let units = clients.withLock { $0 }
        for client in units { client.finish(&random) }
        if !eventually({ units.allSatisfy { $0.isGone } }) { note("a unit is left") }
        clients.withLock { $0.removeAll() }
    }
}
