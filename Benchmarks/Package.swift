// swift-tools-version: 6.2
import PackageDescription

// The programs that are measured against each other, and what measures them. A package of its own, so that nobody
// who uses the library builds them. The peers over other libraries are C: see peers.mk.

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

let soundHarness = Target.Dependency.product(name: "SoundHarness", package: "AudioQueueServices")

let package = Package(
    name: "AudioQueueBenchmarks",
    dependencies: [.package(name: "AudioQueueServices", path: "..")],
    targets: [
        // What every peer shares: command line, signal, log.
        .target(name: "PeerKit"),
        .executableTarget(
            name: "peer-audioqueue", dependencies: ["PeerKit", audioQueues], swiftSettings: strict),

        // What measures them: the recorder of the monitor, the watch over the machine, everything that needs no server,
        // and the runner.
        .target(name: "CMonitor", linkerSettings: [.linkedLibrary("pulse")]),
        .target(name: "CStallWitness"),
        .target(name: "BenchKit", swiftSettings: strict),
        .executableTarget(
            name: "bench", dependencies: ["BenchKit", "CMonitor", "CStallWitness", soundHarness],
            swiftSettings: strict),
        .testTarget(
            name: "BenchKitTests", dependencies: ["BenchKit", "CStallWitness"], swiftSettings: strict),
    ],
    cLanguageStandard: .gnu11
)
