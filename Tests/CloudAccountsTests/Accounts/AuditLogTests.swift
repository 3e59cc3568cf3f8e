import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import TestStore
import Testing

/// The bounds of the audit log.
@Suite(.timeLimit(.minutes(20)))
struct AuditLogTests {
    let fixture: AccountFixture
    let accounts: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    @Test("100,000 views push no change out of the audit log, and are bounded themselves")
    func looks() async throws {
        try await accounts.audit.note(AuditNote(who: "a thief", action: "created a management token"))
        let most = AuditLog.mostEntries
        try await accounts.database.pool.write { db in
            for number in 0..<(most + 500) {
                try db.run(
                    "INSERT INTO audit (time, who, action, isLook) VALUES (?, ?, ?, 1)",
                    .seconds(accounts.now()), .text("a thief"), .text("look \(number)"))
            }
        }
        for number in 0..<130 {
            try await accounts.audit.noteLook(AuditNote(who: "a thief", action: "look again \(number)"))
        }
        let changes = try await accounts.audit.entries(actions: ["created a management token"], limit: 10)
        #expect(changes.count == 1)
        let count = try await accounts.database.pool.read { db in
            try db.first("SELECT count(*) FROM audit") { $0.integer(0) } ?? 0
        }
        #expect((most...most + 130).contains(count), "\(count)")
    }

    @Test("A repeated view adds one audit line in ten minutes, and another operator's view adds its own")
    func oneLine() async throws {
        func look(_ who: String, at person: String?) async throws {
            try await accounts.audit.noteLook(AuditNote(who: who, action: "looked at sessions", person: person))
        }
        for _ in 0..<3 {
            try await look("a", at: "mei@example.com")
            try await look("a", at: nil)
            try await look("b", at: nil)
            fixture.pass(seconds: 200)
        }
        #expect(try await accounts.audit.entries(limit: 10).count == 3)
        fixture.pass(seconds: 600)
        try await look("a", at: nil)
        #expect(try await accounts.audit.entries(limit: 10).count == 4)
    }
}
