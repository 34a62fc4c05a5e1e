// swift-tools-version: 6.3

import PackageDescription

// A package of its own, so that nothing it needs ever reaches users. It sees Plimsoll as they
// do, from outside: as a program with ports.
let package = Package(
    name: "plimsoll-benchmarks",
    targets: [
        .executableTarget(name: "edge")
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}
