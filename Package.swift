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

let mpegAudio = Target.Dependency.target(name: "AQMPEGAudio", condition: .when(traits: ["MPEGAudio"]))
let lame = Target.Dependency.target(name: "CAQLAME", condition: .when(traits: ["MPEGAudio"]))
let avCodec = Target.Dependency.target(name: "CAQAVCodec", condition: .when(traits: ["AVCodecs"]))
let timeStretching = Target.Dependency.target(
    name: "AQTimeStretching", condition: .when(traits: ["TimePitch"]))

/// The modules that Swift programs import. Each product for them has all: a module that is missing would not be an
/// unknown one, since the module maps of C declare modules of the same names for imports such as `os.log`. It would be
/// empty.
let publishedModules = [
    "AudioToolbox", "AudioUnit", "CoreAudio", "AVFoundation", "AVFAudio", "CoreAudioTypes", "os", "OSLog",
    "CoreMedia",
]

/// Programs in Swift, a file each, which the tests run: an executable for each, named with the prefix.
func programs(
    _ names: [String], prefix: String, in folder: String, besides others: [String] = [],
    over modules: [Target.Dependency] = publishedModules.map { .target(name: $0) },
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
                "AudioQueues", "AQTimeStretching", "AQFiles", "AQCodecs", "AQDevices", "AQMagicCookies",
                "CoreAudioTypes",
            ]),
        .library(name: "AQUnits", targets: ["AQUnits", "AQDevices", "CoreAudioTypes"]),
        // The published API for Swift programs, and the library that C programs link to, which `make install`
        // installs as libAudioToolbox.so.
        .library(name: "AudioToolbox", targets: publishedModules),
        // The same modules, under the name of the classes for audio: players, recorders, files and formats.
        .library(name: "AVFoundation", targets: publishedModules),
        .library(name: "AudioToolboxC", type: .dynamic, targets: ["AQToolboxFunctions"]),
        .executable(name: "aqplay", targets: ["aqplay"]),
        .executable(name: "aqrecord", targets: ["aqrecord"]),
        .executable(name: "aqinfo", targets: ["aqinfo"]),
        .executable(name: "aqconvert", targets: ["aqconvert"]),
        .executable(name: "aqlatency", targets: ["aqlatency"]),
        // For the package of benchmarks: it starts sound servers as the tests do, and analyses as `aqlatency` does.
        .library(name: "AQSoundHarness", targets: ["AQSoundHarness"]),
        .library(name: "AQRoundTripAnalysis", targets: ["AQRoundTripAnalysis"]),
    ],
    traits: [
        .trait(name: "MPEGAudio", description: "Read, decode and write MPEG audio (libmpg123, LAME)."),
        .trait(name: "AVCodecs", description: "Encode and decode AAC, ALAC and IMA 4:1 (libavcodec)."),
        .trait(name: "TimePitch", description: "Play at other rates and pitches (SoundTouch)."),
        .default(enabledTraits: ["MPEGAudio", "AVCodecs", "TimePitch"]),
    ],
    targets: [
        // C libraries of the system. Each is imported by exactly one target.
        .systemLibrary(name: "CAQPulse", pkgConfig: "libpulse", providers: [.apt(["libpulse-dev"])]),
        .systemLibrary(name: "CAQSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CAQMpg123", pkgConfig: "libmpg123", providers: [.apt(["libmpg123-dev"])]),

        // Our own C: published struct layouts, and primitives for the audio thread.
        .target(name: "CAQCoreAudioTypes"),
        .target(name: "CAQAudioQueueTypes", dependencies: ["CAQCoreAudioTypes"]),
        .target(name: "CAQRealTime", cSettings: hardened),
        .target(name: "CAQResampler", cSettings: hardened),
        // Libraries that are loaded when they are first needed: most runs of a tool do not need them, and programs start
        // on systems that have other versions of them, or none.
        .target(name: "CAQLibraries", cSettings: hardened),
        .target(name: "CAQFLAC", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQVorbis", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQOpus", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQLAME", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQPNG", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQAVCodec", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQSoxr", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQEBUR128", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQDBus", dependencies: ["CAQLibraries"], cSettings: hardened),
        .target(name: "CAQRealTimeKit", dependencies: ["CAQDBus"], cSettings: hardened),
        .target(name: "CAQCurl", dependencies: ["CAQLibraries"], cSettings: hardened),
        // SoundTouch too, a library in C++ behind an interface in C.
        .target(
            name: "CAQSoundTouch", dependencies: ["CAQLibraries"],
            cxxSettings: [
                .define("HAVE_TIME_PITCH", .when(traits: ["TimePitch"])),
                .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
            ]),

        // The library, lowest first.
        .target(name: "CoreAudioTypes", dependencies: ["CAQCoreAudioTypes"], swiftSettings: strict),
        .target(name: "AQThreads", dependencies: ["CAQRealTime"], swiftSettings: strict),
        .target(name: "AQMPEGAudio", dependencies: ["CoreAudioTypes", "CAQMpg123"], swiftSettings: strict),
        .target(name: "AQMagicCookies", dependencies: ["CoreAudioTypes"], swiftSettings: strict),
        .target(
            name: "AQFiles",
            dependencies: [
                "CoreAudioTypes", "AQMagicCookies", "CAQSndFile", "CAQFLAC", "CAQVorbis", "CAQOpus",
                mpegAudio, lame,
            ],
            swiftSettings: strict),
        .target(
            name: "AQCodecs",
            dependencies: [
                "CoreAudioTypes", "AQMagicCookies", "CAQResampler", "CAQSoxr", "CAQOpus", avCodec, mpegAudio,
            ],
            swiftSettings: strict),
        .target(
            name: "AQDevices",
            dependencies: ["CoreAudioTypes", "CAQPulse", "CAQRealTime", "CAQRealTimeKit", "AQThreads"],
            swiftSettings: strict),
        .target(
            name: "AudioQueues",
            dependencies: ["CoreAudioTypes", "AQCodecs", "AQDevices", "CAQAudioQueueTypes", "CAQRealTime"],
            swiftSettings: strict),
        .target(
            name: "AQTimeStretching", dependencies: ["AudioQueues", "CAQSoundTouch"], swiftSettings: strict),
        .target(
            name: "AQUnits",
            dependencies: ["CoreAudioTypes", "AQCodecs", "AQDevices", "CAQRealTime", "AQThreads"],
            swiftSettings: strict),
        .target(
            name: "AQGraphs",
            dependencies: ["CoreAudioTypes", "AQCodecs", "AQDevices", "CAQRealTime", "AQThreads"],
            swiftSettings: strict),
        .target(
            name: "AQSessions", dependencies: ["AQDevices", "CAQRealTime"], swiftSettings: strict),
        .target(
            name: "AQSystemSounds",
            dependencies: [
                "CoreAudioTypes", "AQFiles", "AQCodecs", "AQDevices", "AudioQueues", "CAQRealTime",
            ],
            swiftSettings: strict),

        // The published API: the headers, the functions of C, and what Swift programs import. Only here is
        // CoreFoundation known, and above the functions Foundation.
        .target(name: "CAQCoreAudio", dependencies: ["CAQCoreAudioTypes"]),
        .target(
            name: "CAQAudioToolbox",
            dependencies: ["CAQAudioQueueTypes", "CAQCoreAudio", "CAQCoreAudioTypes"],
            exclude: ["installation", "portable"]),
        .target(name: "CAQCoreMedia", dependencies: ["CAQCoreAudio", "CAQCoreAudioTypes"]),
        .target(name: "CAQCoreFoundation", cSettings: hardened),
        // Clocks, locks and messages, by the names that programs for audio know them by.
        .target(name: "CAQPortability", cSettings: hardened),
        .target(name: "os", dependencies: ["CAQPortability"], swiftSettings: strict),
        .target(name: "OSLog", dependencies: ["os"], swiftSettings: strict),
        .target(name: "CAQQueueDispatch", cSettings: hardened),
        .target(
            name: "AQToolboxFunctions",
            dependencies: [
                "CAQAudioToolbox", "CAQCoreAudio", "CAQPortability", "CAQQueueDispatch", "CAQRealTime",
                "CoreAudioTypes",
                "AQMagicCookies", "AQFiles", "AQCodecs", "AQDevices", "AudioQueues", "AQUnits",
                mpegAudio, timeStretching,
                "CAQCoreFoundation", "CAQCoreMedia", "AQSessions", "AQSystemSounds",
            ],
            swiftSettings: strict,
            // CoreFoundation is in Foundation's library, and does not say so itself.
            linkerSettings: [
                .linkedLibrary("Foundation"), .linkedLibrary("BlocksRuntime"), .linkedLibrary("dispatch"),
            ]),
        // The aliases that `AudioToolbox` exports one by one, in place of CoreFoundation's declarations.
        .target(name: "AQCoreFoundationNames", swiftSettings: strict),
        .target(
            name: "AudioToolbox",
            dependencies: [
                "AQToolboxFunctions", "CAQAudioToolbox", "CAQCoreAudio", "CAQPortability", "CoreAudioTypes",
                "AQCoreFoundationNames",
            ],
            exclude: ["documentation"], swiftSettings: strict),
        .target(name: "AudioUnit", dependencies: ["AudioToolbox"], swiftSettings: strict),
        .target(name: "CoreAudio", dependencies: ["AudioToolbox"], swiftSettings: strict),
        .target(
            name: "CoreMedia", dependencies: ["AudioToolbox", "AQToolboxFunctions", "CAQCoreMedia"],
            swiftSettings: strict),
        // Classes for audio, for Swift programs.
        .target(
            name: "AVFAudio",
            dependencies: [
                "AudioToolbox", "CoreMedia", "CoreAudioTypes", "AQFiles", "AQCodecs", "AQDevices",
                "AQGraphs", "AudioQueues", "AQSessions", "AQThreads", timeStretching,
            ],
            swiftSettings: strict),
        .target(
            name: "AVFoundation",
            dependencies: [
                "AVFAudio", "AudioToolbox", "CoreMedia", "CoreAudioTypes", "AQDevices", "AudioQueues",
                "AQSessions",
            ],
            swiftSettings: strict),

        // Files and streams from servers, for the tools.
        .target(
            name: "AQNetworkInput",
            dependencies: ["AQFiles", "CAQCurl", "AQMagicCookies", "AQThreads", mpegAudio],
            swiftSettings: strict),

        // The tools.
        .target(name: "CAQProcessArguments", cSettings: hardened),
        .target(
            name: "AQToolSupport", dependencies: ["AQFiles", "CAQProcessArguments"], swiftSettings: strict),
        .target(
            name: "AQDeviceListing", dependencies: ["AQDevices", "AudioQueues", "AQToolSupport"],
            packageAccess: false, swiftSettings: strict),
        .target(
            name: "AQMediaPlayerBus", dependencies: ["AQDevices", "CAQDBus", "AQToolSupport"],
            swiftSettings: strict),
        .executableTarget(
            name: "aqplay",
            dependencies: [
                "CoreAudioTypes", "AQMagicCookies", "AQFiles", "AQDevices", "AudioQueues",
                "AQTimeStretching",
                "AQDeviceListing", "AQMediaPlayerBus", "AQNetworkInput", "AQToolSupport",
            ],
            exclude: ["desktop"], packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "aqrecord",
            dependencies: [
                "CoreAudioTypes", "AQFiles", "AQDevices", "AudioQueues", "AQCodecs", "AQDeviceListing",
                "AQToolSupport",
            ],
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "aqinfo",
            dependencies: [
                "CoreAudioTypes", "AQMagicCookies", "AQFiles", "AQCodecs", "CAQEBUR128", "CAQPNG",
                "AQNetworkInput", "AQToolSupport",
            ],
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "aqconvert",
            dependencies: [
                "CoreAudioTypes", "AQMagicCookies", "AQFiles", "AQCodecs", "AQNetworkInput", "AQToolSupport",
            ],
            packageAccess: false, swiftSettings: strict),
        .target(name: "AQRoundTripAnalysis", swiftSettings: strict),
        .executableTarget(
            name: "aqlatency",
            dependencies: [
                "CoreAudioTypes", "AQFiles", "AQDevices", "AudioQueues", "AQDeviceListing",
                "AQRoundTripAnalysis", "AQToolSupport",
            ],
            packageAccess: false, swiftSettings: strict),

        // Fast logic tests, one target a module.
        .target(name: "AQTestSupport", path: "Tests/AQTestSupport", swiftSettings: strict),
        .testTarget(
            name: "CoreAudioTypesTests", dependencies: ["CoreAudioTypes", "AQExpectations"],
            swiftSettings: strict),
        .testTarget(
            name: "AQMPEGAudioTests",
            dependencies: [mpegAudio, "CoreAudioTypes", "AQExpectations", "AQTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AQMagicCookiesTests",
            dependencies: ["AQMagicCookies", "CoreAudioTypes", "AQExpectations", "AQTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AQFilesTests",
            dependencies: [
                "AQFiles", "CAQFLAC", "CAQSndFile", "AQMagicCookies", mpegAudio, "AQExpectations",
                "AQTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AQCodecsTests",
            dependencies: ["AQCodecs", "AQFiles", "AQMagicCookies", "AQExpectations", "AQTestSupport"],
            swiftSettings: strict),
        .target(name: "CAQAllocationMeter", path: "Tests/CAQAllocationMeter"),
        .target(name: "CAQProcessors", path: "Tests/CAQProcessors"),
        .testTarget(
            name: "AQDevicesTests",
            dependencies: [
                "AQDevices", "CAQAllocationMeter", "AQExpectations", "AQTestSupport", "AQTestTraits",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AudioQueuesTests",
            dependencies: [
                "AudioQueues", "AQFiles", "CAQAllocationMeter", "AQExpectations", "AQTestSupport",
                "AQTestTraits",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AQUnitsTests",
            dependencies: [
                "AQUnits", "AQCodecs", "AQDevices", "CAQAllocationMeter", "CoreAudioTypes", "AQThreads",
                "AQExpectations", "AQTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AQTimeStretchingTests",
            dependencies: [timeStretching, "AudioQueues", "AQExpectations", "AQTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AQSessionsTests",
            dependencies: ["AQSessions", "AQDevices", "AQExpectations", "AQTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AQSystemSoundsTests",
            dependencies: [
                "AQSystemSounds", "AQFiles", "AQDevices", "AudioQueues", "CoreAudioTypes", "AQExpectations",
                "AQTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AQGraphsTests",
            dependencies: [
                "AQGraphs", "AQCodecs", "AQDevices", "CAQAllocationMeter", "CoreAudioTypes",
                "AQExpectations", "AQTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AVFAudioTests",
            dependencies: [
                "AVFAudio", "AVFoundation", "AQDevices", "AQGraphs", "AudioQueues", "AQSessions",
                "AudioToolbox", "AQToolboxFunctions", "AudioUnit", "AQUnits", "CoreAudio",
                "CoreAudioTypes",
                "CoreMedia", "OSLog", "os", "AQSoundHarness", "AQExpectations", "AQTestSupport",
                "AQTestTraits",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AQToolSupportTests",
            dependencies: [
                "AQToolSupport", "AQFiles", "AQExpectations", "AQTestSupport", "aqplay", "aqrecord", "aqinfo",
                "aqconvert",
                "aqlatency",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AQNetworkInputTests",
            dependencies: [
                "AQNetworkInput", "AQFiles", "AQThreads", "AQExpectations", "AQTestSupport", "AQTestTraits",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AQMediaPlayerBusTests",
            dependencies: ["AQMediaPlayerBus", "AQToolSupport", "AQExpectations", "AQTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "aqplayTests",
            dependencies: [
                "aqplay", "AQMagicCookies", "AQDevices", "AudioQueues", "AQDeviceListing", "AQMediaPlayerBus",
                "AQNetworkInput",
                "AQToolSupport", "AQExpectations", "AQTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "aqrecordTests",
            dependencies: [
                "aqrecord", "AQFiles", "AQCodecs", "AQDevices", "AudioQueues", "AQDeviceListing",
                "AQToolSupport", "AQExpectations", "AQTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "aqinfoTests",
            dependencies: [
                "aqinfo", "AQFiles", "AQCodecs", "CAQPNG", "AQToolSupport", "AQExpectations", "AQTestSupport",
                "AQTestTraits",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "aqconvertTests",
            dependencies: [
                "aqconvert", "AQFiles", "AQCodecs", "CAQSndFile", "AQToolSupport", "AQExpectations",
                "AQTestSupport", "AQTestTraits",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AQRoundTripAnalysisTests", dependencies: ["AQRoundTripAnalysis", "AQExpectations"],
            swiftSettings: strict),
        .testTarget(
            name: "aqlatencyTests",
            dependencies: [
                "aqlatency", "AQDevices", "AQFiles", "AudioQueues", "AQRoundTripAnalysis", "AQExpectations",
                "AQTestSupport",
                "AQToolSupport",
            ],
            swiftSettings: strict),

        // Tests against other programs that read and write sound files.
        .testTarget(
            name: "InterchangeTests",
            dependencies: [
                "AQSoundHarness", "AQExpectations", "AQTestSupport", "AQFiles", "CoreAudioTypes", "aqconvert",
                "aqinfo",
            ],
            swiftSettings: strict),

        // Tests against a real sound server, and what they share with `make demo`.
        .target(
            name: "AQSoundHarness", dependencies: ["AQTestSupport"], path: "Tests/AQSoundHarness",
            swiftSettings: strict),
        .executableTarget(name: "aqdemo", dependencies: ["AQSoundHarness"], swiftSettings: strict),
        // Comparisons of values, and how suites run beside each other. They need the testing library, which programs do not
        // link.
        .target(name: "AQExpectations", path: "Tests/AQExpectations", swiftSettings: strict),
        .target(
            name: "AQTestTraits", dependencies: ["AQTestSupport", "CAQProcessors"],
            path: "Tests/AQTestTraits",
            swiftSettings: strict),
        .testTarget(
            name: "SoundTests",
            dependencies: [
                "AQSoundHarness", "AQExpectations", "AQTestSupport", "AQTestTraits", "AudioQueues", "AQUnits",
                "AQFiles",
                "AQCodecs", "AQDevices", "AQSessions",
                "CoreAudioTypes",
                "CAQRealTime", "aqlatency", "aqplay", "aqrecord",
            ],
            swiftSettings: strict),

        // The published API: its functions, its headers, the installed library, and programs that use it.
        .testTarget(
            name: "AudioToolboxTests",
            dependencies: [
                "AudioToolbox", "AQToolboxFunctions", "CoreMedia", "CAQAudioToolbox", "CAQCoreAudio",
                "CAQAllocationMeter", "CAQCoreMedia", "CAQPortability", "CAQRealTime", "os",
                "CoreAudioTypes", "AQMagicCookies", "AQFiles", "AQCodecs", "AQDevices", "AudioQueues",
                "AQSessions", "AQSystemSounds", "AQSoundHarness", "AQExpectations", "AQTestSupport",
                "AQTestTraits",
            ],
            exclude: ["Interface"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

// The sample programs, and programs as people write them, which are language mode 5 for the most part.
package.targets += programs(
    ["FileRecorder", "Tone"], prefix: "aqsample-", in: "Sources/AudioQueuesSamples",
    over: ["AudioQueues", "AQFiles", "AQDevices", "CoreAudioTypes"], otherwise: .v6)
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
            dependencies: ["AQFiles", "CoreAudioTypes", "AQMagicCookies", "AQNetworkInput", "AQTestSupport"],
            path: "Tests/Fuzzing/Sources", swiftSettings: strict))
}

// A few test modules instead of all, without the programs: AQ_TESTS=AQFilesTests,aqplayTests swift test.
if let names = Context.environment["AQ_TESTS"]?.split(separator: ",") {
    package.targets.removeAll { target in
        switch target.type {
        case .test: !names.contains { $0 == target.name }
        case .executable: target.name.hasPrefix("aqsample-") || target.name.hasPrefix("aqprogram-")
        default: false
        }
    }
}
