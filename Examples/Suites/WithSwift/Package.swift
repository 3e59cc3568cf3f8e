// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "shopping-list",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "../../../Clients/Swift")],
    targets: [
        .target(
            name: "ShoppingList", dependencies: [.product(name: "CumulusKit", package: "Swift")],
            swiftSettings: settings),
        .testTarget(
            name: "ShoppingListTests",
            dependencies: ["ShoppingList", .product(name: "CumulusKitTesting", package: "Swift")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
