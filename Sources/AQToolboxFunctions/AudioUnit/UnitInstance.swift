// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox
import CoreAudioTypes

/// An instance of a component: a unit, its listeners, and its handle.
final class UnitInstance: Sendable {
    @safe private struct Listener: @unchecked Sendable {
        /// The procedure's type with a context that may be NULL.
        ///
        /// COMPAT: the published type does not allow NULL, and many programs pass it.
        typealias Procedure =
            @convention(c) (
                UnsafeMutableRawPointer?, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement
            ) -> Void

        // SAFETY: by its contract the procedure and its context may be used on any thread.
        let property: AudioUnitPropertyID
        private let procedure: Procedure
        private let context: UnsafeMutableRawPointer?

        init(
            _ property: AudioUnitPropertyID, _ procedure: @escaping AudioUnitPropertyListenerProc,
            _ context: UnsafeMutableRawPointer?
        ) {
            self.property = property
            // SAFETY: the types differ only in whether the first pointer may be NULL.
            unsafe self.procedure = unsafeBitCast(procedure, to: Procedure.self)
            unsafe self.context = context
        }

        /// The addresses, which identify a listener.
        var key: (procedure: UInt, context: UInt) {
            unsafe (unsafeBitCast(procedure, to: UInt.self), UInt(bitPattern: context))
        }

        func callAsFunction(_ handle: AudioUnit, _ property: UnitProperty) {
            unsafe procedure(context, handle, property.id, property.scope, property.element)
        }
    }

    private struct State {
        var listeners: [Listener] = []
        /// Procedures that observe renders, with the number by which the unit knows each of them.
        var observers: [(procedure: UInt, context: UInt, id: Int)] = []
        var nextObserver = 1
        var handle: UInt = 0
        var isDisposed = false
    }

    /// The instances of this process.
    static let table = HandleTable<UnitInstance>()

    let unit: any UnitObject
    // SAFETY: a component is a number that is only compared, and lives as long as the process.
    private let componentAddress: UInt
    private let state = Monitor(State())

    init(_ unit: any UnitObject, _ component: AudioComponent) {
        self.unit = unit
        componentAddress = UInt(bitPattern: component)
    }

    var component: AudioComponent? { unsafe AudioComponent(bitPattern: componentAddress) }

    /// The instance of a handle.
    ///
    /// - Throws: `kAudio_ParamError` for a value that is no handle.
    static func instance(_ handle: AudioComponentInstance?) throws(StatusError) -> UnitInstance {
        guard let instance = unsafe table[handle] else { throw StatusError(kAudio_ParamError) }
        return instance
    }

    /// Makes the handle.
    func register() -> AudioComponentInstance? {
        let handle = unsafe UnitInstance.table.insert(self)
        state.withLock { $0.handle = UInt(bitPattern: handle) }
        return unsafe handle
    }

    /// Whether the client has disposed of the instance, which others may still use for a moment.
    var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// Ends the unit, after the handle was removed.
    func dispose() {
        state.withLock { $0.isDisposed = true }
        unit.dispose()
    }

    var handle: AudioComponentInstance? {
        unsafe OpaquePointer(bitPattern: state.withLock { $0.handle })
    }

    // MARK: Listeners

    func addListener(
        _ property: AudioUnitPropertyID, _ procedure: @escaping AudioUnitPropertyListenerProc,
        _ context: UnsafeMutableRawPointer?
    ) {
        state.withLock {
            $0.listeners.append(unsafe Listener(property, procedure, context))
        }
    }

    /// Removes listeners.
    ///
    /// - Parameter context: The context that they were added with; nil removes those of every context.
    func removeListeners(
        _ property: AudioUnitPropertyID, _ procedure: AudioUnitPropertyListenerProc,
        context: UnsafeMutableRawPointer??
    ) {
        let address = unsafe unsafeBitCast(procedure, to: UInt.self)
        state.withLock { state in
            state.listeners.removeAll { listener in
                guard listener.property == property, listener.key.procedure == address else { return false }
                guard let context = unsafe context else { return true }
                return listener.key.context == UInt(bitPattern: context)
            }
        }
    }

    /// Calls the listeners of a property, without a lock, on the calling thread.
    func notify(_ property: UnitProperty) {
        guard let handle = unsafe handle else { return }
        let listeners = state.withLock { $0.listeners.filter { $0.property == property.id } }
        for listener in listeners { unsafe listener(handle, property) }
    }

    // MARK: Observers of renders

    /// Adds code of this library, which is removed with the unit.
    func addObserver(_ code: RenderCode) {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            return state.nextObserver
        }
        unit.addRenderObserver(id, code)
    }

    func addObserver(_ procedure: @escaping AURenderCallback, _ context: UnsafeMutableRawPointer?) {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            unsafe state.observers.append(
                (unsafeBitCast(procedure, to: UInt.self), UInt(bitPattern: context), state.nextObserver))
            return state.nextObserver
        }
        unit.addRenderObserver(id, unsafe RenderProcedure(procedure, context).code)
    }

    /// Removes the observer with this procedure and context that was added last.
    func removeObserver(_ procedure: AURenderCallback, _ context: UnsafeMutableRawPointer?) {
        let address = unsafe unsafeBitCast(procedure, to: UInt.self)
        let id = state.withLock { state -> Int? in
            let index = state.observers.lastIndex {
                $0.procedure == address && $0.context == UInt(bitPattern: context)
            }
            return index.map { state.observers.remove(at: $0).id }
        }
        if let id { unit.removeRenderObserver(id) }
    }
}
