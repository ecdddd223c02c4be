// SPDX-License-Identifier: MIT

import Synchronization
import AQThreads

/// The objects of a ``HandleTable``, which threads read without a lock.
///
/// Slots are made in pages, which remain where they are until the end. One thread at a time inserts objects, and no two
/// threads change the object of one slot.
@safe final class HandleObjects<Object: AnyObject & Sendable>: @unchecked Sendable {
    // SAFETY: pages are allocated here, published once, and freed by deinit.

    private final class Entry: Sendable {
        let generation: UInt
        let object: Object

        init(_ object: Object, generation: UInt) {
            self.object = object
            self.generation = generation
        }
    }

    private typealias Slot = SharedObject<Entry>

    private static var slotsPerPage: Int { 1024 }
    private static var pageCount: Int { Int(HandleKey.maximumIndex + 1) / slotsPerPage }

    /// The addresses of the pages; 0 for those that were not needed yet.
    private let pages: UnsafeMutablePointer<Atomic<UInt>>

    init() {
        unsafe pages = .allocate(capacity: Self.pageCount)
        for index in 0..<Self.pageCount { unsafe (pages + index).initialize(to: Atomic(0)) }
    }

    deinit {
        for index in 0..<Self.pageCount {
            guard let page = unsafe page(index) else { continue }
            unsafe page.deinitialize(count: Self.slotsPerPage)
            unsafe page.deallocate()
        }
        unsafe pages.deinitialize(count: Self.pageCount)
        unsafe pages.deallocate()
    }

    private func page(_ index: Int) -> UnsafeMutablePointer<Slot>? {
        unsafe UnsafeMutablePointer(bitPattern: pages[index].load(ordering: .acquiring))
    }

    private func slot(_ index: UInt) -> UnsafeMutablePointer<Slot>? {
        let (page, offset) = Int(index).quotientAndRemainder(dividingBy: Self.slotsPerPage)
        return unsafe self.page(page).map { unsafe $0 + offset }
    }

    /// The object of a key; nil if there is none. Any thread.
    subscript(key: HandleKey) -> Object? {
        guard let slot = unsafe slot(key.index), let entry = unsafe slot.pointee.load(),
            entry.generation == key.generation
        else { return nil }
        return entry.object
    }

    func insert(_ object: Object, _ key: HandleKey) {
        if unsafe slot(key.index) == nil {
            let page = UnsafeMutablePointer<Slot>.allocate(capacity: Self.slotsPerPage)
            for index in 0..<Self.slotsPerPage { unsafe (page + index).initialize(to: Slot()) }
            unsafe pages[Int(key.index) / Self.slotsPerPage].store(
                UInt(bitPattern: page), ordering: .releasing)
        }
        unsafe slot(key.index)?.pointee.replace(Entry(object, generation: key.generation))
    }

    func remove(_ key: HandleKey) -> Object? { unsafe slot(key.index)?.pointee.replace(nil)?.object }
}
