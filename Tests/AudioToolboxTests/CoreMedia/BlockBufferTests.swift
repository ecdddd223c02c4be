// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

@Suite("Block buffers") struct BlockBufferTests {
    private let numbers = Array<UInt8>(0..<100)

    /// Makes a buffer over a block, and returns the result with it.
    private func make(
        _ memory: UnsafeMutableRawPointer?, _ length: Int, allocator: CFAllocator? = nil,
        source: BlockSource? = nil, offset: Int = 0, dataLength: Int? = nil, flags: CMBlockBufferFlags = 0
    ) -> (OSStatus, CMBlockBuffer?) {
        var buffer: CMBlockBuffer?
        var functions = unsafe source?.functions ?? CMBlockBufferCustomBlockSource()
        let status = unsafe withUnsafePointer(to: &functions) { functions in
            unsafe CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: memory, blockLength: length, blockAllocator: allocator,
                customBlockSource: source == nil ? nil : functions, offsetToData: offset,
                dataLength: dataLength ?? length, flags: flags, blockBufferOut: &buffer)
        }
        return (status, buffer)
    }

    @Test("over a client's memory neither copy nor free it with kCFAllocatorNull") func clientMemory() throws
    {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { unsafe memory.deallocate() }
        unsafe memory.copyBytes(from: numbers)
        let (status, made) = unsafe make(
            memory.baseAddress, 100, allocator: kCFAllocatorNull, offset: 10, dataLength: 80)
        expectEqual(status, kCMBlockBufferNoErr)
        let buffer = try #require(made)
        expectEqual(CMBlockBufferGetDataLength(buffer), 80)
        expectEqual(buffer.bytes, Array(10..<90))
        var (atOffset, total) = (0, 0)
        var pointer: UnsafeMutablePointer<CChar>?
        unsafe expectEqual(
            CMBlockBufferGetDataPointer(
                buffer, atOffset: 5, lengthAtOffsetOut: &atOffset, totalLengthOut: &total,
                dataPointerOut: &pointer), noErr)
        #expect(atOffset == 75 && total == 80)
        unsafe expectEqual(UnsafeMutableRawPointer(pointer), memory.baseAddress.map { unsafe $0 + 15 })
    }

    @Test("free the client's memory by its allocator: malloc's here") func ownedMemory() throws {
        let memory = unsafe try #require(malloc(16))
        let (status, made) = unsafe make(memory, 16, allocator: kCFAllocatorMalloc)
        #expect(status == noErr && made != nil)
        // The address sanitizer reports a leak, or memory that is freed twice.
    }

    @Test("allocate and free by a custom source, with the last reference") func customSource() throws {
        let source = BlockSource()
        do {
            let (status, made) = unsafe make(
                nil, 32, source: source, flags: kCMBlockBufferAssureMemoryNowFlag)
            #expect(status == noErr && source.allocated == 1)
            var copy: CMBlockBuffer?
            unsafe expectEqual(
                CMBlockBufferCreateWithBufferReference(
                    allocator: nil, referenceBuffer: try #require(made), offsetToData: 8, dataLength: 0,
                    flags: 0,
                    blockBufferOut: &copy), noErr)
            expectEqual(copy.map(CMBlockBufferGetDataLength), 24)
            expectEqual(source.freed, 0)
        }
        #expect(source.freed == 1 && source.freedBytes == [32])
    }

    @Test("allocate later if not at once") func lateMemory() throws {
        let source = BlockSource()
        let buffer = try #require(unsafe make(nil, 32, source: source).1)
        expectEqual(source.allocated, 0)
        var bytes: [UInt8] = [0]
        let copy = unsafe CMBlockBufferCopyDataBytes(buffer, atOffset: 0, dataLength: 1, destination: &bytes)
        expectEqual(copy, kCMBlockBufferUnallocatedBlockErr)
        expectEqual(
            CMBlockBufferGetDataPointer(
                buffer, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil),
            kCMBlockBufferUnallocatedBlockErr)
        #expect(CMBlockBufferAssureBlockMemory(buffer) == noErr && source.allocated == 1)
        #expect(CMBlockBufferAssureBlockMemory(buffer) == noErr && source.allocated == 1)

        // Writing allocates by itself.
        let other = try #require(unsafe make(nil, 4).1)
        expectEqual(
            CMBlockBufferFillDataBytes(
                with: 7, blockBuffer: other, offsetIntoDestination: 1, dataLength: 0), noErr)
        expectEqual(other.bytes.dropFirst(), [7, 7, 7])
    }

    @Test("of several blocks are not contiguous") func severalBlocks() throws {
        let buffer = try #require(CMBlockBuffer.make(numbers, blocks: [10, 30, 60]))
        expectEqual(buffer.bytes, numbers)
        var (atOffset, total) = (0, 0)
        unsafe expectEqual(
            CMBlockBufferGetDataPointer(
                buffer, atOffset: 15, lengthAtOffsetOut: &atOffset, totalLengthOut: &total,
                dataPointerOut: nil), noErr)
        #expect(atOffset == 25 && total == 100)
        #expect(CMBlockBufferIsRangeContiguous(buffer, atOffset: 10, length: 30))
        #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 9, length: 2))
        #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 0, length: 0))
        #expect(CMBlockBufferIsRangeContiguous(buffer, atOffset: 40, length: 0))

        // Bytes across a border are copied into the client's memory, others are not.
        var temporary = [UInt8](repeating: 0, count: 20)
        var pointer: UnsafeMutablePointer<CChar>?
        try unsafe temporary.withUnsafeMutableBytes { temporary in
            let base = unsafe try #require(temporary.baseAddress)
            unsafe expectEqual(
                CMBlockBufferAccessDataBytes(
                    buffer, atOffset: 30, length: 20, temporaryBlock: base, returnedPointerOut: &pointer),
                noErr)
            unsafe expectEqual(UnsafeMutableRawPointer(pointer), base)
            unsafe expectEqual(
                CMBlockBufferAccessDataBytes(
                    buffer, atOffset: 20, length: 20, temporaryBlock: base, returnedPointerOut: &pointer),
                noErr)
            unsafe expectEqual(pointer?.pointee, 20)
        }
        expectEqual(temporary, Array(30..<50))
    }

    @Test("become contiguous: over the same memory, or a copy") func contiguous() throws {
        let buffer = try #require(CMBlockBuffer.make(numbers, blocks: [10, 90]))
        func contiguous(
            _ offset: Int, _ length: Int, flags: CMBlockBufferFlags = 0
        ) throws -> (CMBlockBuffer, BlockSource) {
            let source = BlockSource()
            var functions = unsafe source.functions
            var made: CMBlockBuffer?
            unsafe expectEqual(
                CMBlockBufferCreateContiguous(
                    allocator: nil, sourceBuffer: buffer, blockAllocator: nil, customBlockSource: &functions,
                    offsetToData: offset, dataLength: length, flags: flags, blockBufferOut: &made), noErr)
            return (try #require(made), source)
        }
        let (whole, copied) = try contiguous(0, 0)
        #expect(copied.allocated == 1 && whole.bytes == numbers)
        #expect(CMBlockBufferIsRangeContiguous(whole, atOffset: 0, length: 100))
        let (part, shared) = try contiguous(20, 10)
        #expect(shared.allocated == 0 && part.bytes == Array(20..<30))
        let (copy, forced) = try contiguous(20, 10, flags: kCMBlockBufferAlwaysCopyDataFlag)
        #expect(forced.allocated == 1 && copy.bytes == part.bytes)
        withExtendedLifetime((whole, copy)) {}
    }

    @Test("of other buffers share bytes") func references() throws {
        let source = try #require(CMBlockBuffer.make(numbers, blocks: [50, 50]))
        let buffer = try #require(CMBlockBuffer.make([1, 2]))
        expectEqual(
            CMBlockBufferAppendBufferReference(
                buffer, targetBBuf: source, offsetToData: 45, dataLength: 10, flags: 0), noErr)
        expectEqual(buffer.bytes, [1, 2] + Array(45..<55))
        unsafe expectEqual(
            CMBlockBufferReplaceDataBytes(
                with: [9, 9] as [UInt8], blockBuffer: source, offsetIntoDestination: 49, dataLength: 2), noErr
        )
        #expect(buffer.bytes[6] == 9 && buffer.bytes[7] == 9)
        // A buffer may even be appended to itself, but not forever.
        var status = noErr
        for _ in 0..<40 where status == noErr {
            status = CMBlockBufferAppendBufferReference(
                buffer, targetBBuf: buffer, offsetToData: 0, dataLength: 0, flags: 0)
        }
        expectEqual(status, kCMBlockBufferInsufficientSpaceErr)
    }

    @Test("may be empty") func empty() throws {
        var made: CMBlockBuffer?
        let flags = kCMBlockBufferDontOptimizeDepthFlag
        unsafe expectEqual(
            CMBlockBufferCreateEmpty(allocator: nil, capacity: 4, flags: flags, blockBufferOut: &made), noErr)
        let buffer = try #require(made)
        #expect(CMBlockBufferIsEmpty(buffer) && CMBlockBufferGetDataLength(buffer) == 0)
        expectEqual(
            CMBlockBufferAppendBufferReference(
                buffer, targetBBuf: buffer, offsetToData: 0, dataLength: 0, flags: 0),
            kCMBlockBufferEmptyBBufErr)
        expectEqual(
            CMBlockBufferAppendBufferReference(
                buffer, targetBBuf: buffer, offsetToData: 0, dataLength: 0,
                flags: kCMBlockBufferPermitEmptyReferenceFlag), noErr)
    }

    @Test("reject offsets and lengths outside of their data") func ranges() throws {
        let buffer = try #require(CMBlockBuffer.make(numbers))
        var bytes = [UInt8](repeating: 0, count: 8)
        let cases: [(offset: Int, length: Int, status: OSStatus)] = [
            (101, 0, kCMBlockBufferBadOffsetParameterErr), (-1, 1, kCMBlockBufferBadOffsetParameterErr),
            (.max, .max, kCMBlockBufferBadOffsetParameterErr), (.min, 1, kCMBlockBufferBadOffsetParameterErr),
            (99, 2, kCMBlockBufferBadLengthParameterErr), (0, -1, kCMBlockBufferBadLengthParameterErr),
            (1, .max, kCMBlockBufferBadLengthParameterErr), (100, 0, noErr), (92, 8, noErr),
        ]
        for (offset, length, status) in cases {
            unsafe expectEqual(
                CMBlockBufferCopyDataBytes(
                    buffer, atOffset: offset, dataLength: length, destination: &bytes), status)
            unsafe expectEqual(
                CMBlockBufferReplaceDataBytes(
                    with: bytes, blockBuffer: buffer, offsetIntoDestination: offset, dataLength: length),
                status)
            if status != noErr {
                #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: offset, length: length))
            }
        }
        expectEqual(
            CMBlockBufferGetDataPointer(
                buffer, atOffset: 100, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil),
            kCMBlockBufferBadOffsetParameterErr)
    }

    @Test(
        "reject blocks without bytes, and data outside of blocks",
        arguments: [
            (0, 0, 0, kCMBlockBufferBadLengthParameterErr), (-1, 0, 1, kCMBlockBufferBadLengthParameterErr),
            (8, 0, 0, kCMBlockBufferBadLengthParameterErr), (8, 9, 1, kCMBlockBufferBadOffsetParameterErr),
            (8, 4, 5, kCMBlockBufferBadLengthParameterErr), (8, 4, .max, kCMBlockBufferBadLengthParameterErr),
            (8, .max, .max, kCMBlockBufferBadOffsetParameterErr),
            (8, -4, 4, kCMBlockBufferBadOffsetParameterErr),
        ] as [(Int, Int, Int, OSStatus)])
    func badBlocks(length: Int, offset: Int, dataLength: Int, expected: OSStatus) {
        let source = BlockSource()
        var byte: UInt64 = 0
        let (status, buffer) = unsafe withUnsafeMutableBytes(of: &byte) { memory in
            unsafe make(memory.baseAddress, length, source: source, offset: offset, dataLength: dataLength)
        }
        #expect(status == expected && buffer == nil)
        // The memory remains the client's.
        expectEqual(source.freed, 0)
        let (late, _) = unsafe make(nil, length, source: source, offset: offset, dataLength: dataLength)
        #expect(late == expected && source.allocated == source.freed)
    }

    @Test("reject sources of another version, or that cannot allocate") func badSources() {
        func status(_ change: (inout CMBlockBufferCustomBlockSource) -> Void) -> OSStatus {
            var functions = unsafe BlockSource().functions
            unsafe change(&functions)
            var buffer: CMBlockBuffer?
            return unsafe CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: 8, blockAllocator: nil,
                customBlockSource: &functions, offsetToData: 0, dataLength: 8, flags: 0,
                blockBufferOut: &buffer)
        }
        unsafe expectEqual(status { unsafe $0.version = 1 }, kCMBlockBufferBadCustomBlockSourceErr)
        unsafe expectEqual(status { unsafe $0.AllocateBlock = nil }, kCMBlockBufferBadCustomBlockSourceErr)
    }

    @Test("report memory that cannot be allocated") func noMemory() {
        let source = BlockSource()
        source.isFailing = true
        let failed = kCMBlockBufferBlockAllocationFailedErr
        let flags = kCMBlockBufferAssureMemoryNowFlag
        unsafe expectEqual(make(nil, 8, source: source, flags: flags).0, failed)
        unsafe expectEqual(make(nil, 8, allocator: kCFAllocatorNull, flags: flags).0, failed)
        unsafe expectEqual(make(nil, .max / 2, flags: flags).0, failed)
    }
}
