@testable import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto
import Synchronization
import TestEngine
import TestStore
import Testing

/// Credentials that requests ask for are looked up once, whether or not there are any.
struct AccountLookupTests {
    /// A connection that counts its uses.
    private final class Counted: EngineConnection {
        private let connection: any EngineConnection
        private let counter: Counter

        init(_ connection: any EngineConnection, _ counter: Counter) {
            self.connection = connection
            self.counter = counter
        }

        func use<T>(_ body: (SQLConnection) throws -> T) throws -> T {
            counter.count()
            return try connection.use(body)
        }

        func start(_ body: @escaping @Sendable (SQLConnection) -> Void) {
            counter.count()
            connection.start(body)
        }

        func endStatements(every steps: Int, when mustEnd: @escaping () -> Bool) {}
        func migrate(_ migrations: [Migration]) throws {}
        func migrationNames() throws -> Set<String> { [] }
        func checkpoint() throws {}
        func watchLog(_ onTrouble: @escaping @Sendable (SQLError?) -> Void) {}
        func freeMemory() -> MemoryRelease { .free }
        func close() throws { try connection.close() }
    }

    private final class Counter: Sendable {
        private let number = Mutex(0)

        func count() { number.withLock { $0 += 1 } }

        /// The uses since the last call.
        func take() -> Int {
            number.withLock { number in
                defer { number = 0 }
                return number
            }
        }
    }

    private let counter = Counter()
    private let fixture: AccountFixture
    private let accounts: AccountStore
    private let other: AccountStore

    init() throws {
        fixture = try AccountFixture(engine: TestEngine(lookups: { [counter] in Counted($0, counter) }))
        accounts = try fixture.open()
        other = try fixture.open()
        _ = counter.take()
    }

    private func askAll() async throws -> Int {
        for _ in 0..<10 {
            let reader = try await accounts.reader()
            #expect(try await reader.container(named: "none") == nil)
            #expect(try await reader.apiToken("none") == nil)
            #expect(try await reader.serverKey("none") == nil)
            #expect(try await reader.session("none") == nil)
            #expect(try await reader.pushToken(String(repeating: "ab", count: 32)) == nil)
        }
        return counter.take()
    }

    @Test("A missing credential is looked up once, until any process adds one")
    func absence() async throws {
        #expect(try await askAll() == 5)
        #expect(try await askAll() == 0)
        let container = try await other.containers.create(name: "c")
        #expect(try await askAll() == 5)
        #expect(try await accounts.reader().container(named: "c") == container)
        _ = counter.take()
        #expect(try await accounts.reader().container(named: "c") == container)
        #expect(counter.take() == 0)
    }

    @Test("A missing credential works as soon as another process has created it")
    func addition() async throws {
        #expect(try await accounts.reader().container(named: "none") == nil)
        let container = try await other.containers.create(name: "none")
        #expect(try await accounts.reader().container(named: "none") == container)
    }

    @Test("Adding a credential does not evict existing ones from the cache")
    func presence() async throws {
        _ = try await other.containers.create(name: "c")
        #expect(try await accounts.reader().container(named: "c") != nil)
        _ = counter.take()
        _ = try await other.containers.create(name: "d")
        #expect(try await accounts.reader().container(named: "c") != nil)
        #expect(counter.take() == 0)
    }

    @Test("Unknown names cannot fill the memory")
    func bound() async throws {
        for number in 0..<40_000 { _ = try await accounts.reader().container(named: "none\(number)") }
        #expect(accounts.database.cache.absenceCount <= 32_768)
    }

    @Test("The secret for a purpose is written once and then cached")
    func secrets() async throws {
        let first = try await accounts.secrets.key(for: "p")
        _ = counter.take()
        #expect(try await accounts.secrets.key(for: "p") == first)
        #expect(counter.take() == 0)
        #expect(try await other.secrets.key(for: "p") == first)
    }
}
