package import CloudAssets
import TestAssets
package import Testing

/// The asset store of a test's servers.
package struct AssetKeeping: Sendable {
    @TaskLocal package static var current = disk

    package static let disk = AssetKeeping { _ in nil }
    package static let memory = AssetKeeping { _ in MemoryAssets() }

    /// Makes the place for a server with this data folder; nil for the folder itself.
    package let backend: @Sendable (_ data: String) async throws -> (any AssetBackend)?

    package init(backend: @escaping @Sendable (_ data: String) async throws -> (any AssetBackend)?) {
        self.backend = backend
    }
}

/// Runs each test once for every place that assets may be in.
package struct EveryAssetKeeping: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for keeping in [AssetKeeping.disk, .memory] {
            try await AssetKeeping.$current.withValue(keeping) { try await function() }
        }
    }
}

extension Trait where Self == EveryAssetKeeping {
    package static var everyAssetKeeping: EveryAssetKeeping { EveryAssetKeeping() }
}
