// swift-tools-version: 6.3

import PackageDescription

// MARK: - Libraries

let argumentParser = product("ArgumentParser", of: "swift-argument-parser")
let asyncHTTPClient = product("AsyncHTTPClient", of: "async-http-client")
let collections = product("HashTreeCollections", of: "swift-collections")
let configuration = product("Configuration", of: "swift-configuration")
let configurationTesting = product("ConfigurationTesting", of: "swift-configuration")
let crypto = product("Crypto", of: "swift-crypto")
let httpTypes = product("HTTPTypes", of: "swift-http-types")
let hummingbird = product("Hummingbird", of: "hummingbird")
let hummingbirdCore = product("HummingbirdCore", of: "hummingbird")
let hummingbirdTesting = product("HummingbirdTesting", of: "hummingbird")
let jwtKit = product("JWTKit", of: "jwt-kit")
let logging = product("Logging", of: "swift-log")
let coreMetrics = product("CoreMetrics", of: "swift-metrics")
let metrics = product("Metrics", of: "swift-metrics")
let mustache = product("Mustache", of: "swift-mustache")
let nioCore = product("NIOCore", of: "swift-nio")
let nioEmbedded = product("NIOEmbedded", of: "swift-nio")
let nioHPACK = product("NIOHPACK", of: "swift-nio-http2")
let nioHTTP1 = product("NIOHTTP1", of: "swift-nio")
let nioHTTP2 = product("NIOHTTP2", of: "swift-nio-http2")
let nioHTTPTypes = product("NIOHTTPTypes", of: "swift-nio-extras")
let nioHTTPCompression = product("NIOHTTPCompression", of: "swift-nio-extras")
let nioPosix = product("NIOPosix", of: "swift-nio")
let nioSSL = product("NIOSSL", of: "swift-nio-ssl")
let nioTLS = product("NIOTLS", of: "swift-nio")
let serviceLifecycle = product("ServiceLifecycle", of: "swift-service-lifecycle")
let system = product("SystemPackage", of: "swift-system")
let unixSignals = product("UnixSignals", of: "swift-service-lifecycle")
let serviceLifecycleTestKit = product("ServiceLifecycleTestKit", of: "swift-service-lifecycle")
let subprocess = product("Subprocess", of: "swift-subprocess")

// MARK: - The command line alone

// PLIMSOLL_COMMAND_LINE leaves the service out: what is left builds on macOS, where the service does
// not run, as scripts/command-line does it. What apps link keeps its own, lower minimum of systems.
let isCommandLineAlone = Context.environment["PLIMSOLL_COMMAND_LINE"] != nil

let commandLineRooms: Set = [
    "PlimsollJSON", "PlimsollDomain", "PlimsollDocuments", "PlimsollMarketplace", "PlimsollLog",
    "PlimsollAPI", "PlimsollCommands", "plimsoll",
]

// Commands of the service, which see its rooms; a test holds the others to those above.
let serverCommands = [
    "Database.swift",
    "CutCommand.swift",
    "Diverged.swift",
    "Serving",
    "Witnesses",
    "Health/Machine",
    "Signatures/DocumentLog.swift",
    "Signatures/Outside.swift",
    "Signatures/PastDocument.swift",
    "Signatures/SignedFieldsReport.swift",
    "Signatures/VerifyEventsCommand.swift",
    "Signatures/VerifyLogCommand.swift",
    "Signatures/VerifySnapshotCommand.swift",
]

// `scripts/test` tests optimised rooms, whose internals their tests see.
let isTestedOptimised = Context.environment["PLIMSOLL_TESTED_OPTIMISED"] != nil

// MARK: - Rooms

// Imports go only downwards: a module may use those listed before it, as
// docs/internals/ARCHITECTURE.md says.
let package = Package(
    name: "plimsoll",
    // For the client. The service runs on Linux; the command line needs `UTF8Span` of macOS 26.
    platforms: isCommandLineAlone ? [.macOS(.v26)] : [.iOS(.v15), .macOS(.v12)],
    products: [
        .executable(name: "plimsoll", targets: ["plimsoll"]),
        .library(name: "PlimsollClient", targets: ["PlimsollClient"]),
        .library(name: "PlimsollConfiguration", targets: ["PlimsollConfiguration"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        // SwiftPM would define its traits in changing order, and compile it again (issue 10525).
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            exact: "2.28.1",
            traits: []
        ),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "CLinux", linkerSettings: [.linkedLibrary("z")]),
        .plugin(name: "EmbedFiles", capability: .buildTool()),
    ]
        + module("PlimsollSystem", uses: ["CLinux"])
        + module("PlimsollJSON")
        + module("PlimsollDomain", uses: ["PlimsollJSON", collections])
        + module(
            "PlimsollDocuments",
            uses: ["PlimsollDomain", "PlimsollJSON", crypto],
            testExcludes: ["Golden"]
        )
        + module(
            "PlimsollMarketplace",
            uses: ["PlimsollDocuments", "PlimsollDomain", "PlimsollJSON"]
        )
        + module("PlimsollLog", uses: ["PlimsollJSON", crypto])
        + module(
            "PlimsollPostgres",
            uses: [
                "CLibPQ", "CLinux", "PlimsollSystem", logging, metrics, serviceLifecycle,
                subprocess,
            ],
            testUses: [serviceLifecycleTestKit]
        )
        + module(
            "PlimsollStore",
            uses: [
                "PlimsollDomain", "PlimsollJSON", "PlimsollLog", "PlimsollPostgres",
                "PlimsollSystem", crypto, logging, metrics, serviceLifecycle,
            ],
            embeds: ["sql"],
            testExcludes: ["Golden", "Schema/Golden"]
        )
        + module(
            "PlimsollAPI",
            uses: [
                "PlimsollDomain", "PlimsollJSON", "PlimsollMarketplace", asyncHTTPClient, nioCore,
                nioHTTP1, nioPosix, nioSSL,
            ],
            testUses: [httpTypes, hummingbird]
        )
        + module(
            "PlimsollService",
            uses: [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollJSON",
                "PlimsollMarketplace", "PlimsollPostgres", "PlimsollStore", "PlimsollSystem",
                crypto, logging, metrics, serviceLifecycle,
            ],
            testUses: [nioSSL]
        )
        + module(
            "PlimsollEdge",
            uses: [
                "PlimsollDocuments", "PlimsollDomain", "PlimsollLog", "PlimsollMarketplace",
                "PlimsollSystem", crypto, logging, metrics, nioCore, nioHPACK, nioHTTP2,
                nioPosix, nioSSL, nioTLS, serviceLifecycle, unixSignals,
            ],
            testUses: [nioEmbedded, nioHTTP1, nioHTTPCompression]
        )
        + module(
            "PlimsollPublishing",
            uses: [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollEdge",
                "PlimsollJSON", "PlimsollLog", "PlimsollPostgres", "PlimsollStore",
                "PlimsollSystem", crypto, logging, metrics, serviceLifecycle,
            ],
            testUses: [serviceLifecycleTestKit],
            testExcludes: ["ObjectStore/Server"]
        )
        + module(
            "PlimsollDevices",
            uses: [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollEdge",
                "PlimsollJSON", "PlimsollMarketplace", "PlimsollPostgres", "PlimsollPublishing",
                "PlimsollStore", "PlimsollSystem", crypto, jwtKit, logging, metrics,
                serviceLifecycle, unixSignals,
            ],
            testUses: [httpTypes, hummingbird],
            testExcludes: ["Tokens/Verifier"]
        )
        + module(
            "PlimsollIngestion",
            uses: [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollJSON",
                "PlimsollMarketplace", "PlimsollPublishing", "PlimsollSystem", crypto, logging,
                metrics, serviceLifecycle,
            ]
        )
        + module(
            "PlimsollHTTP",
            uses: [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollJSON",
                "PlimsollMarketplace", "PlimsollService", "PlimsollStore", coreMetrics, crypto,
                httpTypes, hummingbird, hummingbirdCore, logging, metrics, nioCore, nioHTTP1,
                nioHTTPTypes, serviceLifecycle, unixSignals,
            ],
            testUses: [
                "PlimsollLog", "PlimsollPostgres", "PlimsollSystem", hummingbirdTesting,
                nioEmbedded, nioPosix,
            ]
        )
        + module(
            "PlimsollConsole",
            uses: [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollHTTP",
                "PlimsollJSON", "PlimsollService", "PlimsollStore", crypto, httpTypes,
                hummingbird, logging, mustache, nioCore, serviceLifecycle,
            ],
            testUses: ["PlimsollPostgres", hummingbirdTesting],
            embeds: ["Assets", "Languages", "Templates"]
        )
        + module(
            "PlimsollWitness",
            uses: [
                "PlimsollAPI", "PlimsollHTTP", "PlimsollLog", "PlimsollSystem", httpTypes,
                hummingbird, hummingbirdCore, logging, nioCore, serviceLifecycle,
            ],
            testUses: [hummingbirdTesting, nioPosix]
        )
        + module(
            "PlimsollOrigin",
            uses: [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollEdge",
                "PlimsollHTTP", "PlimsollJSON", "PlimsollPublishing", httpTypes, hummingbird,
                hummingbirdCore, logging, metrics, nioCore, serviceLifecycle,
            ],
            testUses: [serviceLifecycle]
        )
        + module(
            "PlimsollServer",
            uses: [
                "CLinux", "PlimsollAPI", "PlimsollConsole", "PlimsollDevices", "PlimsollDocuments",
                "PlimsollDomain", "PlimsollEdge", "PlimsollHTTP", "PlimsollIngestion",
                "PlimsollJSON", "PlimsollLog", "PlimsollOrigin", "PlimsollPostgres",
                "PlimsollPublishing", "PlimsollService", "PlimsollStore", "PlimsollSystem",
                configuration, hummingbird,
                hummingbirdCore, logging, metrics, nioCore, serviceLifecycle, system,
            ],
            testUses: ["PlimsollMarketplace", nioPosix],
            embeds: ["Examples"],
            testExcludes: ["Golden"]
        )
        + module(
            "PlimsollCommands",
            uses: [
                "PlimsollAPI", "PlimsollDevices", "PlimsollDocuments", "PlimsollDomain",
                "PlimsollEdge", "PlimsollIngestion", "PlimsollJSON", "PlimsollLog",
                "PlimsollMarketplace", "PlimsollServer", "PlimsollWitness", argumentParser,
                configuration, logging, subprocess, system,
            ],
            testUses: ["plimsoll", crypto, httpTypes, hummingbird, nioCore]
        )
        + module(
            "PlimsollClient",
            uses: [crypto],
            testUses: [
                "PlimsollDocuments", "PlimsollDomain", "PlimsollEdge", "PlimsollJSON",
                "PlimsollLog", logging, serviceLifecycle,
            ]
        )
        + module(
            "PlimsollConfiguration",
            uses: ["PlimsollClient", configuration],
            testUses: [configurationTesting]
        )
        + [
            .executableTarget(name: "plimsoll", dependencies: ["PlimsollCommands"]),
            .target(
                name: "PlimsollTestSupport",
                dependencies: [
                    "PlimsollPostgres", "PlimsollDocuments", "PlimsollDomain", "PlimsollSystem",
                    coreMetrics, crypto, httpTypes, hummingbird, logging, nioCore, nioHTTP1,
                    nioPosix, nioSSL, subprocess,
                ]
            ),
            .testTarget(
                name: "IntegrationTests",
                dependencies: [
                    "PlimsollAPI", "PlimsollClient", "PlimsollDocuments", "PlimsollDomain",
                    "PlimsollJSON", "PlimsollLog", "PlimsollPostgres", "PlimsollTestSupport",
                    "plimsoll", crypto, nioCore, nioPosix, subprocess,
                ],
                exclude: [
                    "Console/acts.py", "Console/administration.py", "Console/browser.py",
                    "Console/scenarios.py", "Roads/Verifier",
                ]
            ),
            .testTarget(name: "TidyTests"),
        ]
        // What is measured from within sees what the rooms show each other; no product has it.
        + [
            .target(name: "CBenchmarkSockets", path: "Benchmarks/Sources/CBenchmarkSockets"),
            .executableTarget(
                name: "benchmarks",
                dependencies: [
                    "CBenchmarkSockets", "PlimsollAPI", "PlimsollClient", "PlimsollPostgres",
                    "PlimsollDevices", "PlimsollDocuments", "PlimsollDomain", "PlimsollEdge",
                    "PlimsollMarketplace", "PlimsollOrigin", "PlimsollPublishing", "PlimsollSystem",
                    "PlimsollJSON", "PlimsollLog", "PlimsollStore", "PlimsollService", crypto,
                    logging, nioCore, nioPosix, nioSSL, serviceLifecycle, subprocess,
                ],
                path: "Benchmarks/Sources/benchmarks"
            ),
        ]
)

// MARK: - What `scripts/test --room` builds: what the tests of these rooms need

if let rooms = Context.environment["PLIMSOLL_ROOM"] {
    var needed = rooms.split(separator: ",").map { "\($0)Tests" }
    let tests = package.targets.filter { $0.type == .test }
    for target in tests + package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let lower, _) in target.dependencies { needed.append(lower) }
    }
    package.products = []
    package.targets.removeAll { $0.type != .plugin && !needed.contains($0.name) }
}

if isCommandLineAlone {
    package.products.removeAll { $0.name != "plimsoll" }
    package.targets.removeAll { !commandLineRooms.contains($0.name) }
    for target in package.targets where target.name == "PlimsollCommands" {
        target.exclude = serverCommands
        target.dependencies = [
            "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollJSON", "PlimsollLog",
            "PlimsollMarketplace", argumentParser, subprocess, system,
        ]
    }
}

// MARK: - House rules

for target in package.targets where ![.system, .plugin].contains(target.type) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error, .when(platforms: [.linux])),
    ]
    if target.name == "PlimsollCommands", !isCommandLineAlone {
        target.swiftSettings?.append(.define("SERVER"))
    }
    // Tests are not optimised, save those that read every file: it takes longer than it saves. Nor
    // are all their files read once more for a module that nobody imports (decision 34).
    if target.name != "TidyTests", target.type == .test {
        let flags = [
            "-Onone", "-no-whole-module-optimization", "-enable-batch-mode",
            "-no-emit-module-separately",
        ]
        target.swiftSettings?.append(.unsafeFlags(flags, .when(configuration: .release)))
    } else if isTestedOptimised {
        // The benchmarks, which no test runs, are not, nor the commands of the command line alone.
        let unoptimised = isCommandLineAlone ? "PlimsollCommands" : "benchmarks"
        let flags = ["-enable-testing"] + (target.name == unoptimised ? ["-Onone"] : [])
        target.swiftSettings?.append(.unsafeFlags(flags))
    }
}

/// A library module and the test target that goes with it; folders that it embeds are in its code.
func module(
    _ name: String,
    uses dependencies: [Target.Dependency] = [],
    testUses testDependencies: [Target.Dependency] = [],
    embeds: [String] = [],
    testExcludes: [String] = []
) -> [Target] {
    [
        .target(
            name: name,
            dependencies: dependencies,
            exclude: embeds,
            plugins: embeds.isEmpty ? [] : ["EmbedFiles"]
        ),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.byName(name: name), "PlimsollTestSupport"] + dependencies
                + testDependencies,
            exclude: testExcludes
        ),
    ]
}

func product(_ name: String, of package: String) -> Target.Dependency {
    .product(name: name, package: package)
}
