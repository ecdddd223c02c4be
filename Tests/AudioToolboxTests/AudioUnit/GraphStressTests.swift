// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// Graphs that several threads use at the same time.
@Suite("Graphs under stress", .serialized, .measuring, .timeLimit(.minutes(3))) struct GraphStressTests {
    /// A random call of a function of a graph, or of the units of its nodes.
    private static func call(
        _ rig: GraphRig, _ random: inout some RandomNumberGenerator, _ source: CallbackSource
    ) {
        let (node, other) = (
            AUNode.random(in: 0...8, using: &random), AUNode.random(in: 0...8, using: &random)
        )
        let input = UInt32.random(in: 0...2, using: &random)
        switch Int.random(in: 0..<22, using: &random) {
        case 0: _ = rig.added(kAudioUnitType_Mixer, 0)
        case 1: _ = rig.added(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
        case 2: _ = rig.added(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
        case 3: unsafe _ = auGraphRemoveNode(rig.graph, node)
        case 4, 5: _ = rig.connect(node, to: other, input)
        case 6: unsafe _ = auGraphDisconnectNodeInput(rig.graph, node, input)
        case 7: _ = rig.setCallback(node, input, source)
        case 8, 9, 10: _ = rig.update()
        case 11: unsafe _ = auGraphClearConnections(rig.graph)
        case 12, 13: _ = rig.start()
        case 14: unsafe _ = auGraphStop(rig.graph)
        case 15: unsafe _ = auGraphUninitialize(rig.graph)
        case 16: unsafe _ = auGraphClose(rig.graph)
        case 17: unsafe _ = rig.interactions(of: node)
        case 18:
            _ = rig.found(node)?.set(
                kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: input + 1)
        case 19: rig.found(node)?.end()
        default: _ = rig.found(node)?.render(64, lends: false)
        }
    }

    @Test("neither trap nor hang", arguments: someCases(2, of: 1...4 as ClosedRange<UInt64>)) func random(
        seed: UInt64
    ) throws {
        let rig = try GraphRig()
        let ended = Tally()
        // Callbacks change the graph as well.
        let inner = Mutex(SplitMix(seed ^ 0xFF))
        let quiet = CallbackSource(0.25)
        let source = CallbackSource(0.25) {
            var random = inner.withLock { random in SplitMix(random.next()) }
            GraphStressTests.call(rig, &random, quiet)
        }
        for thread in 0..<4 {
            let status = DetachedThread.start(named: "stress", stackBytes: 1 << 20) {
                var random = SplitMix(seed * 10 + UInt64(thread))
                for _ in 0..<500 { GraphStressTests.call(rig, &random, source) }
                ended.add()
            }
            expectEqual(status, 0)
        }
        #expect(eventually(within: 40) { ended.now == 4 })
        rig.end()
        withExtendedLifetime((source, quiet)) {}
    }
}
