import CloudAssets
import TestAssets
import Testing

/// The asset store of a test's servers.
struct AssetKeeping: Sendable {
    @TaskLocal static var current = disk

    static let disk = AssetKeeping { _ in nil }
    static let memory = AssetKeeping { _ in MemoryAssets() }

    /// Makes the place for a server with this data folder; nil for the folder itself.
    let backend: @Sendable (_ data: String) async throws -> (any AssetBackend)?
}

/// Runs each test once for every place that assets may be in.
struct EveryAssetKeeping: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for keeping in [AssetKeeping.disk, .memory] {
            try await AssetKeeping.$current.withValue(keeping) { try await function() }
        }
    }
}

extension Trait where Self == EveryAssetKeeping {
    static var everyAssetKeeping: EveryAssetKeeping { EveryAssetKeeping() }
}
