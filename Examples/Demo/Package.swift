// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "cumulus-demo",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "cumulus-demo", targets: ["CumulusDemo"])],
    dependencies: [
        .package(path: "../../Clients/Swift"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", exact: "0.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "CumulusDemo",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CumulusKit", package: "Swift"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "CumulusDemoTests", dependencies: ["CumulusDemo"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
