import CloudModel
import Testing

/// An address that somebody has only claimed is not theirs to be known by.
struct UnverifiedAddressTests {
    private typealias Fixture = ShareUpdateTests

    private static let claimer = Person(userRecordName: "_x", email: "zoe@example.com", isEmailVerified: false)

    @Test("Joining by the link does not identify a person by an unverified address") func joining() throws {
        let state = try Fixture.open.accepting(Self.claimer, limits: Limits()) { "X" }
        #expect(try #require(state.participant(user: "_x")).identity.lookup.isEmpty)
    }

    @Test("A requester is not identified by an unverified address") func requester() throws {
        var state = Fixture.state
        state.deniesAccessRequests = false
        #expect(try state.asking(Self.claimer, limits: Limits()).requesters.map(\.lookup.isEmpty) == [true])
    }

    /// Otherwise the invitation of the address's owner would be taken for a change to the claimer's entry.
    @Test("An invitation by address is for the person who verified the address")
    func invitation() throws {
        let joined = try Fixture.open.accepting(Self.claimer, limits: Limits()) { "X" }
        let change = try Fixture.change(
            #""publicPermission":"NONE","participants":["#
                + #"{"type":"USER","permission":"READ_WRITE","userIdentity":{"lookupInfo":{"emailAddress":"zoe@example.com"}}}]"#
        )
        let closed = try joined.applying(change, limits: Limits(), identifiers: Fixture.identifiers)
        #expect(closed.participant(user: "_x") == nil)
        let owner = Person(userRecordName: "_zoe", email: "zoe@example.com")
        #expect(try closed.accepting(owner, limits: Limits()) { "Y" }.participant(user: "_zoe")?.status == .accepted)
    }

    @Test("A participant with permission NONE is treated as a stranger") func noPermission() {
        var state = Fixture.state
        state.participants[3].permission = .none
        let dan = Person(userRecordName: "_dan")
        #expect(state.standing(of: dan) == .stranger)
        #expect(throws: ShareState.notFound) { try state.accepting(dan, limits: Limits()) { "new" } }
    }

    /// Two entries of one id would be taken for each other.
    @Test("Two participants given one id get different ids") func uniqueIDs() throws {
        let change = try Fixture.change(
            #""participants":[{"participantId":"N","userIdentity":{"userRecordName":"_ben"}},"#
                + #"{"participantId":"N","userIdentity":{"userRecordName":"_dan"}}]"#)
        let state = try Fixture.state.applying(change, limits: Limits(), identifiers: Fixture.identifiers)
        #expect(state.participants.map(\.id) == ["A", "N", "D"])
    }

    /// A link goes anywhere, so it does not carry an address.
    @Test("Invited people see the owner's address, and visitors by the link do not")
    func ownerAddress() throws {
        let readers: [(String?, Bool)] = [("_ben", true), ("_eve", false), (nil, false)]
        for (reader, isShown) in readers {
            var writer = JSONWriter()
            let state = Fixture.open
            writer.object { state.writeMembers(for: reader.flatMap { state.participant(user: $0) }, to: &$0) }
            let text = String(decoding: writer.bytes, as: UTF8.self)
            #expect(text.contains("anna@example.com") == isShown, "\(reader ?? "nobody")")
        }
    }
}
