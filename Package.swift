// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .define("HAVE_MPEG_AUDIO", .when(traits: ["MPEGAudio"])),
    .define("HAVE_AV_CODECS", .when(traits: ["AVCodecs"])),
    .define("HAVE_TIME_PITCH", .when(traits: ["TimePitch"])),
]

/// Checks of buffer lengths in C, which need an optimized build.
let hardened: [CSetting] = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

let mpegAudio = Target.Dependency.target(name: "MPEGAudio", condition: .when(traits: ["MPEGAudio"]))
let lame = Target.Dependency.target(name: "CLAME", condition: .when(traits: ["MPEGAudio"]))
let avCodec = Target.Dependency.target(name: "CAVCodec", condition: .when(traits: ["AVCodecs"]))
let timeStretching = Target.Dependency.target(
    name: "TimeStretching", condition: .when(traits: ["TimePitch"]))

/// Programs in Swift, a file each, which the tests run: an executable for each, named with the prefix.
func programs(
    _ names: [String], prefix: String, in folder: String, besides others: [String] = [],
    over modules: [Target.Dependency] = [
        "AudioToolbox", "AudioUnit", "CoreAudio", "AVFoundation", "CoreAudioTypes", "os", "OSLog",
        "CoreMedia",
    ],
    languageModes: [String: SwiftLanguageMode] = [:], otherwise languageMode: SwiftLanguageMode
) -> [Target] {
    names.map { name in
        .executableTarget(
            name: prefix + name,
            dependencies: modules, path: folder,
            exclude: names.filter { $0 != name }.map { "\($0).swift" } + others,
            swiftSettings: [.swiftLanguageMode(languageModes[name] ?? languageMode)])
    }
}

let package = Package(
    name: "AudioQueueServices",
    products: [
        .library(
            name: "AudioQueues",
            targets: [
                "AudioQueues", "TimeStretching", "AudioFiles", "AudioCodecs", "AudioDevices", "MagicCookies",
                "CoreAudioTypes",
            ]),
        .library(name: "AudioUnits", targets: ["AudioUnits", "AudioDevices", "CoreAudioTypes"]),
        // The published API for Swift programs, and the library that C programs link to, which `make install`
        // installs as libAudioToolbox.so.
        .library(
            name: "AudioToolbox",
            targets: [
                "AudioToolbox", "AudioUnit", "CoreAudio", "AVFoundation", "CoreAudioTypes", "os", "OSLog",
                "CoreMedia",
            ]),
        // Classes for audio: players, recorders, files and formats.
        .library(name: "AVFoundation", targets: ["AVFoundation", "AVFAudio", "CoreMedia"]),
        .library(name: "AudioToolboxC", type: .dynamic, targets: ["AudioToolboxFunctions"]),
        .executable(name: "aqplay", targets: ["aqplay"]),
        .executable(name: "aqrecord", targets: ["aqrecord"]),
        .executable(name: "aqinfo", targets: ["aqinfo"]),
        .executable(name: "aqconvert", targets: ["aqconvert"]),
        .executable(name: "aqlatency", targets: ["aqlatency"]),
        // For the package of benchmarks: it starts sound servers as the tests do, and analyses as `aqlatency` does.
        .library(name: "SoundHarness", targets: ["SoundHarness"]),
        .library(name: "RoundTripAnalysis", targets: ["RoundTripAnalysis"]),
    ],
    traits: [
        .trait(name: "MPEGAudio", description: "Read, decode and write MPEG audio (libmpg123, LAME)."),
        .trait(name: "AVCodecs", description: "Encode and decode AAC, ALAC and IMA 4:1 (libavcodec)."),
        .trait(name: "TimePitch", description: "Play at other rates and pitches (SoundTouch)."),
        .default(enabledTraits: ["MPEGAudio", "AVCodecs", "TimePitch"]),
    ],
    targets: [
        // C libraries of the system. Each is imported by exactly one target.
        .systemLibrary(name: "CPulse", pkgConfig: "libpulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
        .systemLibrary(name: "CVorbis", pkgConfig: "vorbisenc", providers: [.apt(["libvorbis-dev"])]),
        .systemLibrary(name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"])]),
        .systemLibrary(name: "CLAME", providers: [.apt(["libmp3lame-dev"])]),
        .systemLibrary(name: "CMpg123", pkgConfig: "libmpg123", providers: [.apt(["libmpg123-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),

        // Our own C: published struct layouts, and primitives for the audio thread.
        .target(name: "CCoreAudioTypes"),
        .target(name: "CAudioQueueTypes", dependencies: ["CCoreAudioTypes"]),
        .target(name: "CRealTime", cSettings: hardened),
        .target(name: "CResampler", cSettings: hardened),
        // Libraries that are loaded when they are first needed: most runs of a tool do not.
        .target(name: "CAVCodec", cSettings: hardened),
        .target(name: "CSoxr", cSettings: hardened),
        .target(name: "CEBUR128", cSettings: hardened),
        .target(name: "CDBus", cSettings: hardened),
        .target(name: "CRealTimeKit", dependencies: ["CDBus"], cSettings: hardened),
        .target(name: "CCurl", cSettings: hardened),
        // SoundTouch too, a library in C++ behind an interface in C.
        .target(
            name: "CSoundTouch",
            cxxSettings: [
                .define("HAVE_TIME_PITCH", .when(traits: ["TimePitch"])),
                .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
            ]),

        // The library, lowest first.
        .target(name: "CoreAudioTypes", dependencies: ["CCoreAudioTypes"], swiftSettings: strict),
        .target(name: "Threads", dependencies: ["CRealTime"], swiftSettings: strict),
        .target(name: "MPEGAudio", dependencies: ["CoreAudioTypes", "CMpg123"], swiftSettings: strict),
        .target(name: "MagicCookies", dependencies: ["CoreAudioTypes"], swiftSettings: strict),
        .target(
            name: "AudioFiles",
            dependencies: [
                "CoreAudioTypes", "MagicCookies", "CSndFile", "CFLAC", "CVorbis", "COpus", mpegAudio, lame,
            ],
            swiftSettings: strict),
        .target(
            name: "AudioCodecs",
            dependencies: ["CoreAudioTypes", "MagicCookies", "CResampler", "CSoxr", avCodec, mpegAudio],
            swiftSettings: strict),
        .target(
            name: "AudioDevices",
            dependencies: ["CoreAudioTypes", "CPulse", "CRealTime", "CRealTimeKit", "Threads"],
            swiftSettings: strict),
        .target(
            name: "AudioQueues",
            dependencies: ["CoreAudioTypes", "AudioCodecs", "AudioDevices", "CAudioQueueTypes", "CRealTime"],
            swiftSettings: strict),
        .target(name: "TimeStretching", dependencies: ["AudioQueues", "CSoundTouch"], swiftSettings: strict),
        .target(
            name: "AudioUnits",
            dependencies: ["CoreAudioTypes", "AudioCodecs", "AudioDevices", "CRealTime", "Threads"],
            swiftSettings: strict),
        .target(
            name: "AudioGraphs",
            dependencies: ["CoreAudioTypes", "AudioCodecs", "AudioDevices", "CRealTime", "Threads"],
            swiftSettings: strict),
        .target(
            name: "AudioSessions", dependencies: ["AudioDevices", "CRealTime"], swiftSettings: strict),
        .target(
            name: "SystemSounds",
            dependencies: [
                "CoreAudioTypes", "AudioFiles", "AudioCodecs", "AudioDevices", "AudioQueues", "CRealTime",
            ],
            swiftSettings: strict),

        // The published API: the headers, the functions of C, and what Swift programs import. Only here is
        // CoreFoundation known, and above the functions Foundation.
        .target(name: "CCoreAudio", dependencies: ["CCoreAudioTypes"]),
        .target(
            name: "CAudioToolbox", dependencies: ["CAudioQueueTypes", "CCoreAudio", "CCoreAudioTypes"],
            exclude: ["installation", "portable"]),
        .target(name: "CCoreMedia", dependencies: ["CCoreAudio", "CCoreAudioTypes"]),
        .target(name: "CCoreFoundation", cSettings: hardened),
        // Clocks, locks and messages, by the names that programs for audio know them by.
        .target(name: "CPortability", cSettings: hardened),
        .target(name: "os", dependencies: ["CPortability"], swiftSettings: strict),
        .target(name: "OSLog", dependencies: ["os"], swiftSettings: strict),
        .target(name: "CQueueDispatch", cSettings: hardened),
        .target(
            name: "AudioToolboxFunctions",
            dependencies: [
                "CAudioToolbox", "CCoreAudio", "CPortability", "CQueueDispatch", "CRealTime",
                "CoreAudioTypes",
                "MagicCookies", "AudioFiles", "AudioCodecs", "AudioDevices", "AudioQueues", "AudioUnits",
                mpegAudio, timeStretching,
                "CCoreFoundation", "CCoreMedia", "AudioSessions", "SystemSounds",
            ],
            swiftSettings: strict,
            // CoreFoundation is in Foundation's library, and does not say so itself.
            linkerSettings: [
                .linkedLibrary("Foundation"), .linkedLibrary("BlocksRuntime"), .linkedLibrary("dispatch"),
            ]),
        .target(
            name: "AudioToolbox",
            dependencies: [
                "AudioToolboxFunctions", "CAudioToolbox", "CCoreAudio", "CPortability", "CoreAudioTypes",
            ],
            exclude: ["documentation"], swiftSettings: strict),
        .target(name: "AudioUnit", dependencies: ["AudioToolbox"], swiftSettings: strict),
        .target(name: "CoreAudio", dependencies: ["AudioToolbox"], swiftSettings: strict),
        .target(
            name: "CoreMedia", dependencies: ["AudioToolbox", "AudioToolboxFunctions", "CCoreMedia"],
            swiftSettings: strict),
        // Classes for audio, for Swift programs.
        .target(
            name: "AVFAudio",
            dependencies: [
                "AudioToolbox", "CoreMedia", "CoreAudioTypes", "AudioFiles", "AudioCodecs", "AudioDevices",
                "AudioGraphs", "AudioQueues", "AudioSessions", "Threads", timeStretching,
            ],
            swiftSettings: strict),
        .target(
            name: "AVFoundation",
            dependencies: [
                "AVFAudio", "AudioToolbox", "CoreMedia", "CoreAudioTypes", "AudioDevices", "AudioQueues",
                "AudioSessions",
            ],
            swiftSettings: strict),

        // Files and streams from servers, for the tools.
        .target(
            name: "NetworkInput",
            dependencies: ["AudioFiles", "CCurl", "MagicCookies", "Threads", mpegAudio],
            swiftSettings: strict),

        // The tools.
        .target(name: "CProcessArguments", cSettings: hardened),
        .target(
            name: "ToolSupport", dependencies: ["AudioFiles", "CProcessArguments"], swiftSettings: strict),
        .target(
            name: "DeviceListing", dependencies: ["AudioDevices", "ToolSupport"], packageAccess: false,
            swiftSettings: strict),
        .target(
            name: "MediaPlayerBus", dependencies: ["AudioDevices", "CDBus", "ToolSupport"],
            swiftSettings: strict),
        .executableTarget(
            name: "aqplay",
            dependencies: [
                "CoreAudioTypes", "MagicCookies", "AudioFiles", "AudioDevices", "AudioQueues",
                "TimeStretching",
                "DeviceListing", "MediaPlayerBus", "NetworkInput", "ToolSupport",
            ],
            exclude: ["desktop"], packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "aqrecord",
            dependencies: [
                "CoreAudioTypes", "AudioFiles", "AudioDevices", "AudioQueues", "AudioCodecs", "DeviceListing",
                "ToolSupport",
            ],
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "aqinfo",
            dependencies: [
                "CoreAudioTypes", "MagicCookies", "AudioFiles", "AudioCodecs", "CEBUR128", "CPNG",
                "NetworkInput", "ToolSupport",
            ],
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "aqconvert",
            dependencies: [
                "CoreAudioTypes", "MagicCookies", "AudioFiles", "AudioCodecs", "NetworkInput", "ToolSupport",
            ],
            packageAccess: false, swiftSettings: strict),
        .target(name: "RoundTripAnalysis", swiftSettings: strict),
        .executableTarget(
            name: "aqlatency",
            dependencies: [
                "CoreAudioTypes", "AudioFiles", "AudioDevices", "AudioQueues", "DeviceListing",
                "RoundTripAnalysis", "ToolSupport",
            ],
            packageAccess: false, swiftSettings: strict),

        // Fast logic tests, one target a module.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "CoreAudioTypesTests", dependencies: ["CoreAudioTypes"], swiftSettings: strict),
        .testTarget(
            name: "MPEGAudioTests", dependencies: [mpegAudio, "CoreAudioTypes", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "MagicCookiesTests", dependencies: ["MagicCookies", "CoreAudioTypes", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AudioFilesTests",
            dependencies: [
                "AudioFiles", "CFLAC", "CSndFile", "MagicCookies", mpegAudio, "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AudioCodecsTests",
            dependencies: ["AudioCodecs", "AudioFiles", "MagicCookies", "TestSupport"],
            swiftSettings: strict),
        .target(name: "CAllocationMeter", path: "Tests/CAllocationMeter"),
        .testTarget(
            name: "AudioDevicesTests", dependencies: ["AudioDevices", "CAllocationMeter", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AudioQueuesTests",
            dependencies: ["AudioQueues", "AudioFiles", "CAllocationMeter", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AudioUnitsTests",
            dependencies: [
                "AudioUnits", "AudioCodecs", "AudioDevices", "CAllocationMeter", "CoreAudioTypes", "Threads",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TimeStretchingTests", dependencies: [timeStretching, "AudioQueues", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AudioSessionsTests", dependencies: ["AudioSessions", "AudioDevices", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SystemSoundsTests",
            dependencies: [
                "SystemSounds", "AudioFiles", "AudioDevices", "AudioQueues", "CoreAudioTypes", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AudioGraphsTests",
            dependencies: [
                "AudioGraphs", "AudioCodecs", "AudioDevices", "CAllocationMeter", "CoreAudioTypes",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AVFAudioTests",
            dependencies: [
                "AVFAudio", "AVFoundation", "AudioDevices", "AudioGraphs", "AudioQueues", "AudioSessions",
                "AudioToolbox", "AudioToolboxFunctions", "AudioUnits", "CoreAudioTypes", "CoreMedia",
                "SoundHarness", "TestSupport",
                "TestTraits",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ToolSupportTests",
            dependencies: [
                "ToolSupport", "AudioFiles", "TestSupport", "aqplay", "aqrecord", "aqinfo", "aqconvert",
                "aqlatency",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NetworkInputTests",
            dependencies: ["NetworkInput", "AudioFiles", "Threads", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "MediaPlayerBusTests", dependencies: ["MediaPlayerBus", "ToolSupport", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "aqplayTests",
            dependencies: [
                "aqplay", "MagicCookies", "AudioDevices", "AudioQueues", "DeviceListing", "MediaPlayerBus",
                "NetworkInput",
                "ToolSupport", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "aqrecordTests",
            dependencies: [
                "aqrecord", "AudioFiles", "AudioCodecs", "AudioDevices", "AudioQueues", "DeviceListing",
                "ToolSupport", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "aqinfoTests",
            dependencies: ["aqinfo", "AudioFiles", "AudioCodecs", "CPNG", "ToolSupport", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "aqconvertTests",
            dependencies: [
                "aqconvert", "AudioFiles", "AudioCodecs", "CSndFile", "ToolSupport", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RoundTripAnalysisTests", dependencies: ["RoundTripAnalysis"], swiftSettings: strict),
        .testTarget(
            name: "aqlatencyTests",
            dependencies: [
                "aqlatency", "AudioDevices", "AudioFiles", "AudioQueues", "RoundTripAnalysis", "TestSupport",
                "ToolSupport",
            ],
            swiftSettings: strict),

        // Tests against other programs that read and write sound files.
        .testTarget(
            name: "InterchangeTests",
            dependencies: [
                "SoundHarness", "TestSupport", "AudioFiles", "CoreAudioTypes", "aqconvert", "aqinfo",
            ],
            swiftSettings: strict),

        // Tests against a real sound server, and what they share with `make demo`.
        .target(
            name: "SoundHarness", dependencies: ["TestSupport"], path: "Tests/SoundHarness",
            swiftSettings: strict),
        .executableTarget(name: "aqdemo", dependencies: ["SoundHarness"], swiftSettings: strict),
        // How suites run beside each other. It needs the testing library, which programs do not link.
        .target(name: "TestTraits", path: "Tests/TestTraits", swiftSettings: strict),
        .testTarget(
            name: "SoundTests",
            dependencies: [
                "SoundHarness", "TestSupport", "TestTraits", "AudioQueues", "AudioUnits", "AudioFiles",
                "AudioCodecs", "AudioDevices", "AudioSessions",
                "CoreAudioTypes",
                "CRealTime", "aqlatency", "aqplay", "aqrecord",
            ],
            swiftSettings: strict),

        // The published API: its functions, its headers, the installed library, and programs that use it.
        .testTarget(
            name: "AudioToolboxTests",
            dependencies: [
                "AudioToolbox", "AudioToolboxFunctions", "CoreMedia", "CAudioToolbox", "CCoreAudio",
                "CAllocationMeter", "CCoreMedia", "CPortability", "CRealTime", "os",
                "CoreAudioTypes", "MagicCookies", "AudioFiles", "AudioCodecs", "AudioDevices", "AudioQueues",
                "AudioSessions", "SystemSounds", "SoundHarness", "TestSupport", "TestTraits",
            ],
            exclude: ["Interface"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

// The sample programs, and programs as people write them, which are language mode 5 for the most part.
package.targets += programs(
    ["FileRecorder", "Tone"], prefix: "aqsample-", in: "Sources/AudioQueuesSamples",
    over: ["AudioQueues", "AudioFiles", "AudioDevices", "CoreAudioTypes"], otherwise: .v6)
package.targets += programs(
    ["ClassicPlayer", "ClassicRecorder", "Offline", "Radio", "Synth"], prefix: "aqsample-",
    in: "Sources/AudioToolboxSamples",
    besides: ["player.c", "recorder.c", "unit_recorder.c", "unit_encoder.c", "loop_through.c"], otherwise: .v6
)
package.targets += programs(
    [
        "DictationStream", "DispatchPlayer", "FileConverter", "FormatNames", "GlobalTone", "MeterRecorder",
        "PlanarBuffers", "PortedNames", "PortedUnits", "RadioStreamer", "ToneAVFoundation", "UnmanagedPlayer",
        "CapturedBuffers",
    ],
    prefix: "aqprogram-", in: "Tests/AudioToolboxPrograms/swift", languageModes: ["DictationStream": .v6],
    otherwise: .v5)
package.targets += programs(
    ["PlayFile", "VoiceRecorder", "SpeechFrontEnd", "StreamingSpeech", "Metronome", "OfflineMixdown"],
    prefix: "aqsample-", in: "Sources/AVFAudioSamples", over: ["AVFoundation"], otherwise: .v6)
package.targets += programs(
    [
        "ClassesInFive", "ClassesInSix", "ClassesOnMain", "Dictation", "DrumMachine", "PodcastPlayer",
        "SpeechPlayer", "VoiceAgent", "WaveformReader",
    ],
    prefix: "aqprogram-", in: "Tests/AVFAudioPrograms", over: ["AVFoundation"],
    languageModes: ["ClassesInFive": .v5, "DrumMachine": .v5, "PodcastPlayer": .v5], otherwise: .v6)

// Built by `make fuzz` alone: it has no `main` but libFuzzer's, which the sanitizer brings.
if Context.environment["AQ_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "aqfuzz",
            dependencies: ["AudioFiles", "CoreAudioTypes", "MagicCookies", "NetworkInput", "TestSupport"],
            path: "Tests/Fuzzing/Sources", swiftSettings: strict))
}

// A few test modules instead of all, without the programs: AQ_TESTS=AudioFilesTests,aqplayTests swift test.
if let names = Context.environment["AQ_TESTS"]?.split(separator: ",") {
    package.targets.removeAll { target in
        switch target.type {
        case .test: !names.contains { $0 == target.name }
        case .executable: target.name.hasPrefix("aqsample-") || target.name.hasPrefix("aqprogram-")
        default: false
        }
    }
}
