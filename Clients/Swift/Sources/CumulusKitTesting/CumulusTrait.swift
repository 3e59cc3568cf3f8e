public import CumulusKit
import Foundation
public import Testing

/// Gives each test its own container on a shared server, started on first use.
///
///     @Test(.cumulus) func savesANote() async throws {
///         try await CumulusTest.container.privateCloudDatabase.save(CKRecord(recordType: "Note"))
///     }
public struct CumulusTrait: TestTrait, SuiteTrait, TestScoping {
    public let isRecursive = true
    let signedIn: Bool

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard !test.isSuite else { return try await function() }
        let scope = CumulusTest(origin: try await CumulusServer.origin())
        if signedIn { try await scope.mine.signInForDevelopment(email: "mei@example.com") }
        try await CumulusTest.$current.withValue(scope) { try await function() }
    }
}

extension Trait where Self == CumulusTrait {
    /// Gives the test a new, empty container with a signed-in user.
    public static var cumulus: CumulusTrait { CumulusTrait(signedIn: true) }

    /// Gives the test a new, empty container without a signed-in user.
    public static var cumulusSignedOut: CumulusTrait { CumulusTrait(signedIn: false) }
}

/// A test's own container and server.
public struct CumulusTest: Sendable {
    @TaskLocal static var current: CumulusTest?

    public let origin: String
    public let identifier = "iCloud.test.\(UUID().uuidString)"
    let mine: CKContainer

    init(origin: String) {
        self.origin = origin
        mine = Self.make(identifier, origin, nil, .init())
    }

    /// The test's container, with a signed-in user.
    public static var container: CKContainer { scope.mine }

    /// Controls the test's container.
    public static var emulator: CumulusEmulator {
        CumulusEmulator(origin: scope.origin, identifier: scope.identifier)
    }

    /// The test's container, seen from another device or by another user.
    ///
    /// - Parameters:
    ///   - email: the user to sign in; nil for no user.
    ///   - origin: another server address, used after sign-in.
    ///   - transport: the transport used after sign-in; nil for the default.
    public static func device(
        _ clientID: String, email: String? = "mei@example.com", origin: String? = nil,
        retries: CKRetryPolicy = CKRetryPolicy(),
        transport: (any HTTPTransport)? = nil
    ) async throws -> CKContainer {
        let usual = make(scope.identifier, scope.origin, clientID, retries)
        if let email { try await usual.signInForDevelopment(email: email) }
        var settings = usual.configuration
        settings.origin = origin ?? settings.origin
        settings.transport = transport ?? settings.transport
        return CKContainer(settings)
    }

    private static var scope: CumulusTest {
        guard let current else { preconditionFailure("Give the test the trait: @Test(.cumulus).") }
        return current
    }

    private static func make(
        _ identifier: String, _ origin: String, _ clientID: String?, _ retries: CKRetryPolicy
    ) -> CKContainer {
        var settings = CumulusConfiguration(
            identifier: identifier, origin: origin, apiToken: CumulusServer.apiToken, clientID: clientID)
        settings.retries = retries
        return CKContainer(settings)
    }
}
