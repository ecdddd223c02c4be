// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// The programs that are compared, and the program that measures them. They are a separate package, so that users of the
// library do not build them. The peers for other libraries are written in C: see peers.mk.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let audioQueues = Target.Dependency.product(name: "AudioQueues", package: "AudioQueueServices")

let avFoundation = Target.Dependency.product(name: "AVFoundation", package: "AudioQueueServices")

let roundTrip = Target.Dependency.product(name: "AQRoundTripAnalysis", package: "AudioQueueServices")

let soundHarness = Target.Dependency.product(name: "AQSoundHarness", package: "AudioQueueServices")

let package = Package(
    name: "AudioQueueBenchmarks",
    dependencies: [.package(name: "AudioQueueServices", path: "..")],
    targets: [
        // The parts that all peers share: command line, signal, log.
        .target(name: "PeerKit"),
        .executableTarget(
            name: "peer-audioqueue", dependencies: ["PeerKit", audioQueues], swiftSettings: strict),
        .executableTarget(
            name: "peer-avaudioengine", dependencies: ["PeerKit", avFoundation], swiftSettings: strict),
        .executableTarget(
            name: "mix-avaudioengine", dependencies: ["PeerKit", avFoundation], swiftSettings: strict),

        // The measuring program: the recorder of the monitor, the detection of stalls, all parts that need no server,
        // and the runner.
        .target(name: "CMonitor", linkerSettings: [.linkedLibrary("pulse")]),
        .target(name: "CStallWitness"),
        .target(name: "BenchKit", dependencies: [roundTrip], swiftSettings: strict),
        .executableTarget(
            name: "bench", dependencies: ["BenchKit", "CMonitor", "CStallWitness", soundHarness],
            swiftSettings: strict),
        .testTarget(
            name: "BenchKitTests", dependencies: ["BenchKit", "CStallWitness"], swiftSettings: strict),
    ],
    cLanguageStandard: .gnu11
)
