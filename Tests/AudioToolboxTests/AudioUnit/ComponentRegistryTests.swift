// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreFoundation
import Testing

@testable import AQToolboxFunctions

@Suite("The registry of audio units") struct ComponentRegistryTests {
    private func wanted(
        _ type: UInt32 = 0, _ subtype: UInt32 = 0, _ manufacturer: UInt32 = 0, flags: UInt32 = 0,
        mask: UInt32 = 0
    ) -> AudioComponentDescription {
        AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: manufacturer,
            componentFlags: flags, componentFlagsMask: mask)
    }

    /// The subtypes that a search finds, in its order.
    private func subtypes(_ wanted: AudioComponentDescription) throws -> [UInt32] {
        var wanted = wanted
        var found: [UInt32] = []
        var component = unsafe audioComponentFindNext(nil, &wanted)
        while unsafe component != nil {
            var description = AudioComponentDescription()
            try #require(unsafe audioComponentGetDescription(component, &description) == noErr)
            found.append(description.componentSubType)
            unsafe component = audioComponentFindNext(component, &wanted)
        }
        unsafe expectEqual(audioComponentCount(&wanted), UInt32(found.count))
        return found
    }

    private let outputs = [
        kAudioUnitSubType_DefaultOutput, kAudioUnitSubType_SystemOutput, kAudioUnitSubType_HALOutput,
        kAudioUnitSubType_RemoteIO, kAudioUnitSubType_VoiceProcessingIO, kAudioUnitSubType_GenericOutput,
    ]
    private let converters = [
        kAudioUnitSubType_AUConverter, kAudioUnitSubType_Varispeed, kAudioUnitSubType_NewTimePitch,
    ]
    private let mixers = [kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer]

    @Test("finds each unit by its type, subtype and manufacturer") func exactSearch() throws {
        let units =
            outputs.map { (kAudioUnitType_Output, $0) } + mixers.map { (kAudioUnitType_Mixer, $0) }
            + converters.map { (kAudioUnitType_FormatConverter, $0) }
        for (type, subtype) in units {
            try expectEqual(subtypes(wanted(type, subtype, kAudioUnitManufacturer_Apple)), [subtype])
            try expectEqual(subtypes(wanted(type, subtype)), [subtype])
        }
    }

    @Test("takes zero for any type, subtype or manufacturer, and begins with the default output")
    func wildcards() throws {
        try expectEqual(subtypes(wanted(kAudioUnitType_Output)), outputs)
        try expectEqual(subtypes(wanted(kAudioUnitType_Mixer, 0, kAudioUnitManufacturer_Apple)), mixers)
        try expectEqual(
            subtypes(wanted(0, kAudioUnitSubType_RemoteIO)), [kAudioUnitSubType_RemoteIO])
        let all = outputs + converters + mixers
        try expectEqual(subtypes(wanted()), all)
        try expectEqual(subtypes(wanted(0, 0, kAudioUnitManufacturer_Apple)), all)
    }

    @Test("finds nothing for units that do not exist") func missingUnits() throws {
        let types = [
            kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_Effect,
            kAudioUnitType_Panner, kAudioUnitType_Generator, kAudioUnitType_OfflineEffect,
            kAudioUnitType_MIDIProcessor,
        ]
        for type in types { try expectEqual(subtypes(wanted(type)), []) }
        try expectEqual(subtypes(wanted(kAudioUnitType_Mixer, kAudioUnitSubType_HALOutput)), [])
        try expectEqual(subtypes(wanted(kAudioUnitType_Output, 0, kAudioUnitType_Output)), [])
    }

    @Test("compares flags only under the mask") func flags() throws {
        let sandboxSafe = AudioComponentFlags.sandboxSafe.rawValue
        let unsearchable = AudioComponentFlags.unsearchable.rawValue
        func count(_ flags: UInt32, mask: UInt32) throws -> Int {
            try subtypes(wanted(kAudioUnitType_Output, flags: flags, mask: mask)).count
        }
        try expectEqual(count(.max, mask: 0), outputs.count)
        try expectEqual(count(sandboxSafe, mask: sandboxSafe), outputs.count)
        try expectEqual(count(0, mask: sandboxSafe), 0)
        try expectEqual(count(0, mask: unsearchable), outputs.count)
        try expectEqual(count(unsearchable, mask: unsearchable), 0)
        try expectEqual(count(unsearchable, mask: sandboxSafe), 0)
    }

    @Test("returns the same pointer for an entry in every search") func identity() throws {
        var any = wanted(kAudioUnitType_Output)
        var remote = wanted(0, kAudioUnitSubType_RemoteIO)
        let found = unsafe try #require(unsafe audioComponentFindNext(nil, &remote))
        var component = unsafe audioComponentFindNext(nil, &any)
        var hits = 0
        while unsafe component != nil {
            if unsafe component == found { hits += 1 }
            unsafe component = audioComponentFindNext(component, &any)
        }
        expectEqual(hits, 1)
        // A search may continue with another description, after an entry that does not match it.
        var mixer = wanted(kAudioUnitType_Mixer)
        unsafe expectEqual(audioComponentFindNext(found, &mixer), audioComponentFindNext(nil, &mixer))
        unsafe expectEqual(audioComponentFindNext(found, &remote), nil)
    }

    @Test("describes an entry by its name, version and description") func facts() throws {
        var any = wanted()
        var component = unsafe audioComponentFindNext(nil, &any)
        var names: Set<String> = []
        while unsafe component != nil {
            var description = wanted(1, 2, 3, flags: 4, mask: 5)
            unsafe expectEqual(audioComponentGetDescription(component, &description), noErr)
            expectEqual(description.componentManufacturer, kAudioUnitManufacturer_Apple)
            expectEqual(description.componentFlags, AudioComponentFlags.sandboxSafe.rawValue)
            expectEqual(description.componentFlagsMask, 0)
            var version: UInt32 = 0
            unsafe expectEqual(audioComponentGetVersion(component, &version), noErr)
            expectEqual(version, 0x0001_0000)
            names.insert(try unsafe name(of: component))
            unsafe component = audioComponentFindNext(component, &any)
        }
        expectEqual(names.count, 11)
        #expect(names.allSatisfy { $0.hasPrefix("Apple: ") })
    }

    @Test("retains a name for each caller") func nameIsRetained() throws {
        var hal = wanted(0, kAudioUnitSubType_HALOutput)
        let component = unsafe audioComponentFindNext(nil, &hal)
        for _ in 0..<100 { try unsafe expectEqual(name(of: component), "Apple: AUHAL") }
    }

    private func name(of component: AudioComponent?) throws -> String {
        var reference: UnsafeMutableRawPointer?
        try #require(unsafe audioComponentCopyName(component, &reference) == noErr)
        let name = unsafe Unmanaged<CFString>.fromOpaque(try #require(unsafe reference))
        return AudioFileObject.text(unsafe name.takeRetainedValue())
    }

    @Test("reports pointers that it has not returned, and does not read from them") func unknownComponents()
        throws
    {
        var any = wanted()
        let first = unsafe try #require(unsafe audioComponentFindNext(nil, &any))
        let address = UInt(bitPattern: first)
        let count = UInt(unsafe audioComponentCount(&any))
        let known = address..<address + count
        let wrong = [0, 1, 8, 0xDEAD_0000, address - 1, address + count, .max - 7, .max].filter {
            !known.contains($0)
        }
        for bits in wrong {
            let component = unsafe AudioComponent(bitPattern: bits)
            var description = wanted()
            var version: UInt32 = 7
            var name: UnsafeMutableRawPointer?
            unsafe expectEqual(audioComponentGetDescription(component, &description), kAudio_ParamError)
            unsafe expectEqual(audioComponentGetVersion(component, &version), kAudio_ParamError)
            unsafe expectEqual(audioComponentCopyName(component, &name), kAudio_ParamError)
            #expect(version == 7 && description.componentType == 0)
            unsafe expectEqual(name, nil)
            if bits != 0 { unsafe expectEqual(audioComponentFindNext(component, &any), nil) }
        }
    }

    @Test("reports NULL where a pointer is required") func nullPointers() {
        var any = wanted()
        let component = unsafe audioComponentFindNext(nil, &any)
        unsafe expectEqual(audioComponentFindNext(nil, nil), nil)
        expectEqual(audioComponentCount(nil), 0)
        unsafe expectEqual(audioComponentGetDescription(component, nil), kAudio_ParamError)
        unsafe expectEqual(audioComponentGetVersion(component, nil), kAudio_ParamError)
        unsafe expectEqual(audioComponentCopyName(component, nil), kAudio_ParamError)
    }

    @Test("finds a component for its engine, and the entry of a component") func entries() throws {
        let registry = AudioComponentRegistry.shared
        let component = unsafe registry.component(
            type: kAudioUnitType_Output, subtype: kAudioUnitSubType_VoiceProcessingIO)
        let entry = try #require(unsafe registry[component])
        expectEqual(entry.description.componentSubType, kAudioUnitSubType_VoiceProcessingIO)
        unsafe expectEqual(registry.component(type: kAudioUnitType_Effect, subtype: 0), nil)
        // Another registry has other components.
        let other = AudioComponentRegistry(AudioComponentEntry.all)
        #expect(unsafe other[component] == nil)
    }
}
