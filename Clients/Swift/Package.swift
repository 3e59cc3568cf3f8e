// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "cumulus-swift",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "CumulusKit", targets: ["CumulusKit"]),
        .library(name: "CumulusKitTesting", targets: ["CumulusKitTesting"]),
    ],
    targets: [
        .target(name: "CumulusKit", swiftSettings: settings),
        .target(name: "CumulusKitTesting", dependencies: ["CumulusKit"], swiftSettings: settings),
        .testTarget(
            name: "CumulusKitTests", dependencies: ["CumulusKit", "CumulusKitTesting"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
