// swift-tools-version: 6.3

import PackageDescription

// MARK: - Libraries

let asyncHTTPClient = product("AsyncHTTPClient", of: "async-http-client")
let collections = product("HashTreeCollections", of: "swift-collections")
let crypto = product("Crypto", of: "swift-crypto")
let logging = product("Logging", of: "swift-log")
let metrics = product("Metrics", of: "swift-metrics")
let nioCore = product("NIOCore", of: "swift-nio")
let nioHTTP1 = product("NIOHTTP1", of: "swift-nio")
let serviceLifecycle = product("ServiceLifecycle", of: "swift-service-lifecycle")
let subprocess = product("Subprocess", of: "swift-subprocess")

// MARK: - What is measured

// A package of its own, so that nothing it needs ever reaches users. What is measured from within
// is compiled here from the same sources, through the link `Plimsoll`: the rooms are open to
// their own package only, and a dependency would see nothing of them. The service and the edge
// are measured from outside, as the program that the package above makes.
let package = Package(
    name: "plimsoll-benchmarks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        .systemLibrary(name: "CLibPQ", path: "Plimsoll/CLibPQ", pkgConfig: "libpq"),
        room("CReadiness"),
        room("PlimsollJSON"),
        room("PlimsollDomain", uses: [collections]),
        room("PlimsollDocuments", uses: ["PlimsollDomain", "PlimsollJSON", crypto]),
        room("PlimsollLog", uses: [crypto]),
        room("PlimsollFiles"),
        room(
            "PlimsollPostgres",
            uses: ["CLibPQ", "CReadiness", logging, metrics, serviceLifecycle]
        ),
        room(
            "PlimsollCluster",
            uses: [
                "CReadiness", "PlimsollFiles", "PlimsollPostgres", logging, serviceLifecycle,
                subprocess,
            ]
        ),
        room(
            "PlimsollStore",
            uses: [
                "PlimsollDomain", "PlimsollJSON", "PlimsollLog", "PlimsollPostgres", crypto,
                logging, metrics, serviceLifecycle,
            ],
            resources: [.embedInCode("sql")]
        ),
        room(
            "PlimsollProjection",
            uses: [
                "PlimsollDomain", "PlimsollJSON", "PlimsollPostgres", "PlimsollStore", crypto,
                logging, metrics, serviceLifecycle,
            ]
        ),
        room(
            "PlimsollUseCases",
            uses: [
                "PlimsollDomain", "PlimsollJSON", "PlimsollPostgres", "PlimsollProjection",
                "PlimsollStore", crypto, logging, metrics,
            ]
        ),
        room(
            "PlimsollAmazon",
            uses: [
                "PlimsollDomain", "PlimsollJSON", asyncHTTPClient, crypto, nioCore, nioHTTP1,
            ]
        ),
        room(
            "PlimsollExport",
            uses: [
                "PlimsollAmazon", "PlimsollDocuments", "PlimsollDomain", "PlimsollFiles",
                "PlimsollJSON", "PlimsollLog", "PlimsollPostgres", "PlimsollProjection",
                "PlimsollStore", crypto, logging, metrics, serviceLifecycle,
            ]
        ),
        room("PlimsollClient", uses: [crypto]),
        .target(name: "CSockets"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CSockets", "PlimsollClient", "PlimsollCluster", "PlimsollDocuments",
                "PlimsollDomain",
                "PlimsollExport", "PlimsollFiles", "PlimsollJSON", "PlimsollLog",
                "PlimsollPostgres", "PlimsollProjection", "PlimsollStore", "PlimsollUseCases",
                crypto, logging,
                serviceLifecycle, subprocess,
            ]
        ),
    ]
)

// MARK: - House rules

for target in package.targets where target.type != .system {
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

/// A module of the service, as the package above declares it.
func room(
    _ name: String,
    uses dependencies: [Target.Dependency] = [],
    resources: [Resource] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Plimsoll/\(name)",
        resources: resources
    )
}

func product(_ name: String, of package: String) -> Target.Dependency {
    .product(name: name, package: package)
}
