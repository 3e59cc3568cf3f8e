// swift-tools-version: 6.2
import PackageDescription

let language: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Warnings fail the build, except deprecations, which a newer library introduces before it removes a function. Other compilers
// than the documented Swift 6.3 build the program with warnings. Test targets are built without this: macros of Swift Testing
// expand to code with warnings. `Scripts/build-tests.sh` looks for warnings there.
#if compiler(>=6.3) && compiler(<6.4)
    let settings: [SwiftSetting] =
        language + [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)]
    let settingsOfC: [CSetting] = [
        .treatAllWarnings(as: .error), .treatWarning("deprecated-declarations", as: .warning),
    ]
    let settingsOfCXX: [CXXSetting] = [
        .treatAllWarnings(as: .error), .treatWarning("deprecated-declarations", as: .warning),
    ]
#else
    let settings = language
    let settingsOfC: [CSetting] = []
    let settingsOfCXX: [CXXSetting] = []
#endif

// Code that nobody waits for: the optimizer would take two thirds of the time that it takes to compile.
let cold = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// No module waits for a test target's interface, so it is not compiled apart from the code.
let tests = language + [.unsafeFlags(["-no-emit-module-separately-wmo"])]

let package = Package(
    name: "cumulus",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "cumulus", targets: ["cumulus", "CPublicFiles"])
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .target(name: "CSimdJSON", cxxSettings: settingsOfCXX, linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CPostgres", cSettings: settingsOfC),
        .target(name: "CSQLiteMemory", cSettings: settingsOfC, linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CLinux", cSettings: settingsOfC),
        .target(name: "CPublic", cSettings: settingsOfC),
        .target(name: "CPublicFiles", dependencies: ["CPublic"], cSettings: settingsOfC),
        .target(name: "CCrypto", cSettings: settingsOfC, linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CZlib", cSettings: settingsOfC, linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CloudCrypto", dependencies: ["CCrypto"], swiftSettings: settings),
        .target(name: "CloudModel", dependencies: ["CSimdJSON"], swiftSettings: settings),
        .target(
            name: "CloudIdentity", dependencies: ["CloudCrypto", "CloudModel"], swiftSettings: settings),
        .target(name: "CloudMedia", dependencies: ["CloudModel"], swiftSettings: settings),
        .target(name: "CloudSQL", swiftSettings: settings),
        .target(
            name: "CloudAssets",
            dependencies: [
                "CLinux",
                "CZlib",
                "CloudCrypto",
                "CloudModel",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudEngine",
            dependencies: [
                "CloudAssets",
                "CloudCrypto",
                "CloudModel",
                "CloudSQL",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudPostgres", dependencies: ["CLinux", "CPostgres", "CloudEngine", "CloudModel", "CloudSQL"],
            swiftSettings: settings),
        .target(
            name: "CloudSQLite",
            dependencies: [
                "CSQLiteMemory",
                "CloudAssets",
                "CloudEngine",
                "CloudModel",
                "CloudSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudAccounts",
            dependencies: [
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudIdentity",
                "CloudModel",
                "CloudSQL",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudStore",
            dependencies: [
                "CLinux",
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudMedia",
                "CloudModel",
                "CloudSQL",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudTransfer",
            dependencies: [
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudModel",
                "CloudSQL",
                "CloudStore",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudOperations",
            dependencies: [
                "CloudAccounts", "CloudEngine", "CloudIdentity", "CloudModel", "CloudStore", "CloudTransfer",
            ],
            swiftSettings: cold),
        .target(
            name: "CloudHTTP",
            dependencies: [
                "CLinux",
                "CPublic",
                "CZlib",
                "CloudAccounts",
                "CloudAssets",
                "CloudModel",
                "CloudStore",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudWire",
            dependencies: [
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudHTTP",
                "CloudIdentity",
                "CloudModel",
                "CloudOperations",
                "CloudStore",
                "CloudTransfer",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudPages",
            dependencies: [
                "CZlib",
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudHTTP",
                "CloudIdentity",
                "CloudMedia",
                "CloudModel",
                "CloudStore",
                "CloudTransfer",
                "CloudWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CloudEmulator",
            dependencies: [
                "CloudAccounts",
                "CloudHTTP",
                "CloudModel",
                "CloudStore",
                "CloudTransfer",
                "CloudWire",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: cold
        ),
        .target(
            name: "CloudConsole",
            dependencies: [
                "CloudAccounts",
                "CloudEmulator",
                "CloudEngine",
                "CloudHTTP",
                "CloudModel",
                "CloudOperations",
                "CloudPages",
                "CloudStore",
                "CloudTransfer",
                "CloudWire",
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: cold
        ),
        .target(
            name: "CloudServer",
            dependencies: [
                "CLinux",
                "CloudAccounts",
                "CloudAssets",
                "CloudConsole",
                "CloudEmulator",
                "CloudEngine",
                "CloudHTTP",
                "CloudIdentity",
                "CloudModel",
                "CloudPages",
                "CloudStore",
                "CloudWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "cumulus",
            dependencies: [
                "CLinux",
                "CloudAccounts",
                "CloudAssets",
                "CloudEmulator",
                "CloudEngine",
                "CloudHTTP",
                "CloudIdentity",
                "CloudModel",
                "CloudOperations",
                "CloudPages",
                "CloudPostgres",
                "CloudSQLite",
                "CloudServer",
                "CloudStore",
                "CloudTransfer",
                "CloudWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: cold
        ),
        .testTarget(
            name: "CloudEngineTests", dependencies: ["CloudCrypto", "CloudEngine", "CloudModel"],
            swiftSettings: tests),
        .testTarget(
            name: "CloudAccountsTests",
            dependencies: [
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudIdentity",
                "CloudModel",
                "CloudSQL",
                "CloudSQLite",
                "CloudStore",
                "TestAssets",
                "TestEngine",
                "TestPasskeys",
                "TestStore",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CloudStoreTests",
            dependencies: [
                "CSQLiteMemory",
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudMedia",
                "CloudModel",
                "CloudSQL",
                "CloudSQLite",
                "CloudStore",
                "TestAssets",
                "TestEngine",
                "TestStore",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .target(
            name: "TestPasskeys", dependencies: ["CloudCrypto", "CloudModel"], path: "Tests/TestPasskeys",
            swiftSettings: language),
        .target(
            name: "TestStore",
            dependencies: [
                "CloudAccounts",
                "CloudAssets",
                "CloudEngine",
                "CloudModel",
                "CloudSQL",
                "CloudStore",
                "TestEngine",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/TestStore", swiftSettings: language),
        .testTarget(
            name: "CloudTransferTests",
            dependencies: [
                "CloudAccounts",
                "CloudAssets",
                "CloudEngine",
                "CloudModel",
                "CloudSQL",
                "CloudSQLite",
                "CloudStore",
                "CloudTransfer",
                "TestAssets",
                "TestEngine",
                "TestStore",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .target(
            name: "TestEngine",
            dependencies: [
                "CloudAccounts", "CloudEngine", "CloudPostgres", "CloudSQL", "CloudSQLite", "CloudStore",
                "TestPostgres",
            ],
            path: "Tests/TestEngine", swiftSettings: settings),
        .target(
            name: "TestPostgres", dependencies: ["TestProcess"], path: "Tests/TestPostgres", swiftSettings: settings),
        .testTarget(
            name: "CloudPostgresTests",
            dependencies: ["CloudEngine", "CloudModel", "CloudPostgres", "CloudSQL", "CloudStore", "TestPostgres"],
            swiftSettings: tests),
        .target(
            name: "TestAssets",
            dependencies: [
                "CloudAssets",
                "CloudModel",
                "TestProcess",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/TestAssets", swiftSettings: settings),
        .testTarget(
            name: "CloudAssetsTests",
            dependencies: [
                "CloudAssets",
                "CloudModel",
                "TestAssets",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: tests),
        .target(name: "TestProcess", path: "Tests/TestProcess", swiftSettings: settings),
        .target(
            name: "TestBrowser", dependencies: ["CloudModel", "TestProcess"], path: "Tests/TestBrowser",
            swiftSettings: settings),
        .target(name: "Disk", path: "Benchmarks/Sources/Disk", swiftSettings: settings),
        .target(name: "TestWire", path: "Tests/TestWire", swiftSettings: settings),
        // Does to the server what a decoder could that a picture has taken over.
        // Static: a confined program reads the system's libraries, not those of a Swift toolchain.
        .executableTarget(
            name: "attacker", path: "Tests/Attacker", cSettings: settingsOfC,
            linkerSettings: [.unsafeFlags(["-static-stdlib"])]),
        .testTarget(name: "CloudCryptoTests", dependencies: ["CloudCrypto"], swiftSettings: tests),
        .testTarget(
            name: "CloudIdentityTests", dependencies: ["CloudCrypto", "CloudIdentity", "CloudModel"],
            swiftSettings: tests),
        .testTarget(name: "CloudMediaTests", dependencies: ["CloudMedia", "CloudModel"], swiftSettings: tests),
        .testTarget(name: "CloudModelTests", dependencies: ["CloudModel"], swiftSettings: tests),
        .testTarget(
            name: "CloudSQLTests", dependencies: ["CloudEngine", "CloudSQL", "CloudSQLite"], swiftSettings: tests),
        .testTarget(
            name: "CloudSQLiteTests",
            dependencies: [
                "CloudEngine", "CloudSQL", "CloudSQLite", "TestEngine", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "CloudOperationsTests", dependencies: ["CloudModel", "CloudOperations", "CloudStore"],
            swiftSettings: tests),
        .target(
            name: "TestCloud",
            dependencies: [
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEmulator",
                "CloudEngine",
                "CloudHTTP",
                "CloudIdentity",
                "CloudModel",
                "CloudOperations",
                "CloudPages",
                "CloudServer",
                "CloudStore",
                "CloudWire",
                "TestAssets",
                "TestEngine",
                "TestProcess",
                "TestWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            path: "Tests/TestCloud",
            swiftSettings: language
        ),
        .testTarget(
            name: "CloudHTTPTests",
            dependencies: [
                "CPublicFiles",
                "CloudAccounts",
                "CloudHTTP",
                "CloudModel",
                "CloudServer",
                "CloudWire",
                "TestCloud",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CloudWireTests",
            dependencies: [
                "CPublicFiles",
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudHTTP",
                "CloudIdentity",
                "CloudModel",
                "CloudOperations",
                "CloudPages",
                "CloudServer",
                "CloudStore",
                "CloudTransfer",
                "CloudWire",
                "TestAssets",
                "TestCloud",
                "TestEngine",
                "TestStore",
                "TestWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CloudPagesTests",
            dependencies: [
                "CPublicFiles",
                "CZlib",
                "CloudAccounts",
                "CloudAssets",
                "CloudConsole",
                "CloudCrypto",
                "CloudEngine",
                "CloudHTTP",
                "CloudIdentity",
                "CloudMedia",
                "CloudModel",
                "CloudPages",
                "CloudServer",
                "CloudStore",
                "CloudWire",
                "TestAssets",
                "TestCloud",
                "TestPasskeys",
                "TestEngine",
                "TestProcess",
                "TestWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CloudConsoleTests",
            dependencies: [
                "CPublicFiles",
                "CloudAccounts",
                "CloudAssets",
                "CloudConsole",
                "CloudEngine",
                "CloudHTTP",
                "CloudModel",
                "CloudOperations",
                "CloudPages",
                "CloudServer",
                "CloudWire",
                "TestCloud",
                "TestEngine",
                "TestProcess",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CloudEmulatorTests",
            dependencies: [
                "CPublicFiles",
                "CloudAssets",
                "CloudEngine",
                "CloudHTTP",
                "CloudModel",
                "CloudServer",
                "CloudWire",
                "TestCloud",
                "TestWire",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CloudServerTests",
            dependencies: [
                "CPublicFiles",
                "CloudAccounts",
                "CloudEngine",
                "CloudHTTP",
                "CloudIdentity",
                "CloudModel",
                "CloudPages",
                "CloudServer",
                "CloudStore",
                "CloudWire",
                "TestAssets",
                "TestBrowser",
                "TestCloud",
                "TestEngine",
                "TestWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "CPublicFiles",
                "CloudAccounts",
                "CloudAssets",
                "CloudCrypto",
                "CloudEngine",
                "CloudHTTP",
                "CloudModel",
                "CloudOperations",
                "CloudSQL",
                "CloudSQLite",
                "CloudServer",
                "CloudStore",
                "CloudWire",
                "Disk",
                "TestAssets",
                "TestBrowser",
                "TestCloud",
                "TestPasskeys",
                "TestPostgres",
                "TestProcess",
                "TestWire",
                "cumulus",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: tests
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Somebody's app that depends on this repository by its URL gets the Swift client alone, for older systems too, and none
// of the server's dependencies. SwiftPM reads the manifest of a dependency at "/", and from a folder in `checkouts`.
let folders = Context.packageDirectory.split(separator: "/")
if folders.isEmpty || folders.dropLast().last == "checkouts" {
    package.platforms = [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)]
    package.products = ["CumulusKit", "CumulusKitTesting"].map { .library(name: $0, targets: [$0]) }
    package.dependencies = []
    package.targets = [
        .target(name: "CumulusKit", path: "Clients/Swift/Sources/CumulusKit", swiftSettings: language),
        .target(
            name: "CumulusKitTesting", dependencies: ["CumulusKit"],
            path: "Clients/Swift/Sources/CumulusKitTesting", swiftSettings: language),
    ]
}
