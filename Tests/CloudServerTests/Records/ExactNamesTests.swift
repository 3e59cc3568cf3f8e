import CloudModel
import Testing

/// Names are told apart by their bytes, everywhere alike: no é of one scalar stands for one of two.
struct ExactNamesTests {
    private static let one = "caf\u{e9}"
    private static let two = "cafe\u{301}"

    @Test func zones() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone(Self.one)
            try await mei.save(zone: Self.one, "n1")
            #expect(try await mei.modify(zone: Self.two, [Operation.write("create", "n2")]).code == "ZONE_NOT_FOUND")
            try await mei.makeZone(Self.two)
            try await mei.save(zone: Self.two, "n2")
            #expect(try await mei.changes(Self.one).recordNames == ["n1"])
            #expect(try await mei.changes(Self.two).recordNames == ["n2"])
        }
    }

    @Test func records() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify([
                Operation.write("create", Self.one), Operation.write("create", Self.two),
            ])
            #expect(answer.recordNames.map { Array($0.utf8) } == [Array(Self.one.utf8), Array(Self.two.utf8)])
            let found = try await mei.lookup(Self.two)
            #expect(found.recordNames.map { Array($0.utf8) } == [Array(Self.two.utf8)])
        }
    }
}
