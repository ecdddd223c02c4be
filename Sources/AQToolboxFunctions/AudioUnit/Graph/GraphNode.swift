// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox

/// A node of a graph, and its unit while the graph is open.
struct GraphNode: Sendable {
    let number: AUNode
    let entry: AudioComponentEntry
    // SAFETY: a component is a number that is only compared, and lives as long as the process.
    private let componentAddress: UInt
    var instance: UnitInstance?
    var isInitialized = false

    init(_ number: AUNode, _ entry: AudioComponentEntry, _ component: AudioComponent) {
        self.number = number
        self.entry = entry
        componentAddress = UInt(bitPattern: component)
    }

    /// Whether the node drives the graph.
    var isOutput: Bool { entry.description.componentType == kAudioUnitType_Output }

    /// Makes the unit.
    mutating func open() throws(StatusError) {
        guard instance == nil, let component = unsafe AudioComponent(bitPattern: componentAddress) else {
            return
        }
        let made = try unsafe makeUnitInstance(of: entry, component)
        guard unsafe made.register() != nil else { throw StatusError(kAudio_MemFullError) }
        instance = made
    }

    /// Returns whether audio from an output of this node was captured, and so does not depend on the node's input.
    func captures(_ output: UInt32) -> Bool { isOutput && output == 1 }

    /// Sets the source of an input of the unit, or removes it.
    func set(_ input: UInt32, to source: GraphInteraction.Source?, from unit: UnitInstance?) throws(UnitError)
    {
        guard let instance else { return }
        switch source {
        case .callback(let callback):
            try unsafe withUnsafeBytes(of: callback) { (bytes) throws(UnitError) in
                try unsafe instance.unit.set(
                    UnitProperty(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, input),
                    UnitPropertyData(bytes.baseAddress, UInt32(bytes.count)))
            }
        case .node, nil:
            var output: UInt32 = 0
            if case .node(_, let number) = source { output = number }
            let handle = unsafe source == nil ? 0 : UInt(bitPattern: unit?.handle)
            // The fields of an `AudioUnitConnection`.
            let fields = (handle, output, input)
            try unsafe withUnsafeBytes(of: fields) { (bytes) throws(UnitError) in
                try unsafe instance.unit.set(
                    UnitProperty(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, input),
                    UnitPropertyData(bytes.baseAddress, UInt32(bytes.count)))
            }
        }
    }

    /// Ends the unit.
    mutating func close() {
        isInitialized = false
        guard let instance = instance.take() else { return }
        unsafe UnitInstance.table.remove(instance.handle)?.dispose()
    }
}
