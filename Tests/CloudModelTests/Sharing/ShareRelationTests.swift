import CloudModel
import Testing

/// Relations of people to a share, before and after they accept (reference B §9.6–§9.8).
struct ShareStandingTests {
    private typealias Fixture = ShareUpdateTests

    private func word(_ standing: ShareRelation) -> String {
        switch standing {
        case .owner: "owner"
        case .member(let entry): "member \(entry.id)"
        case .invited(let entry): "invited \(entry.id)"
        case .open(let permission): "open \(permission.rawValue)"
        case .unverified(let entries): "unverified \(entries.map(\.id).joined())"
        case .mayAsk: "may ask"
        case .stranger: "stranger"
        }
    }

    private static let people: [(Person?, closed: String, open: String)] = [
        (nil, "stranger", "open READ_ONLY"),
        (Person(userRecordName: "_anna"), "owner", "owner"),
        (Person(userRecordName: "_ben"), "member B", "member B"),
        (Person(userRecordName: "_dan"), "invited D", "invited D"),
        (Person(userRecordName: "_cleo", email: "Cleo@example.com"), "invited C", "invited C"),
        (
            Person(userRecordName: "_x", email: "cleo@example.com", isEmailVerified: false), "unverified C",
            "open READ_ONLY"
        ),
        // An accepted entry is its user's, whoever has the address now.
        (Person(userRecordName: "_x", email: "ben@example.com"), "stranger", "open READ_ONLY"),
        (Person(userRecordName: "_eve"), "stranger", "member E"),
        (Person(userRecordName: "_y"), "stranger", "open READ_ONLY"),
    ]

    @Test(
        "A person's relation to a share follows from their entry and from the link's permission",
        arguments: people.indices)
    func standing(index: Int) {
        let (person, closed, open) = Self.people[index]
        #expect(word(Fixture.state.standing(of: person)) == closed)
        #expect(word(Fixture.open.standing(of: person)) == open)
    }

    @Test("A blocked person is treated as a stranger") func blocked() {
        var state = Fixture.open
        state.blocked = ["_y"]
        #expect(state.standing(of: Person(userRecordName: "_y")) == .stranger)
    }

    @Test("A person who may request access is told so") func accessRequests() {
        var state = Fixture.state
        state.deniesAccessRequests = false
        #expect(state.standing(of: Person(userRecordName: "_y")) == .mayAsk)
        #expect(state.standing(of: nil) == .stranger)
    }

    @Test("Accepting an invitation by address enters the person's record name")
    func addressInvitation() throws {
        let cleo = Person(
            userRecordName: "_cleo", email: "cleo@example.com", names: PersonNames(given: "Cleo"))
        let state = try Fixture.state.accepting(cleo, limits: Limits()) { "new" }
        let entry = try #require(state.participant(user: "_cleo"))
        #expect(entry.id == "C")
        #expect(entry.isMember)
        #expect(entry.identity.names.given == "Cleo")
        #expect(try state.accepting(cleo, limits: Limits()) { "new" } == state)
        #expect(!state.leaving("_cleo").participants.contains { $0.id == "C" })
    }

    @Test("A one-time link admits one person") func oneTimeLink() throws {
        var state = Fixture.state
        state.participants.append(
            Participant(
                id: "L", type: .user, status: .invited, permission: .readOnly, identity: ShareIdentity(), link: "t"))
        #expect(state.standing(of: Person(userRecordName: "_y")) == .stranger)
        #expect(word(state.standing(of: Person(userRecordName: "_y"), link: "t")) == "invited L")
        #expect(state.standing(of: nil, link: "t") == .stranger)
        state = try state.accepting(Person(userRecordName: "_y"), link: "t", limits: Limits()) { "new" }
        #expect(word(state.standing(of: Person(userRecordName: "_y"), link: "t")) == "member L")
        #expect(state.standing(of: Person(userRecordName: "_z"), link: "t") == .stranger)
    }

    @Test("A person who joins by the link gets the public permission, up to the limit of people")
    func linkJoin() throws {
        let state = try Fixture.open.accepting(Person(userRecordName: "_y", email: "y@x"), limits: Limits()) { "new" }
        #expect(state.participants.last?.type == .publicUser)
        #expect(state.participants.last?.permission == .readOnly)
        var limits = Limits()
        limits.participantsPerShare = 5
        let error = #expect(throws: ServerError.self) {
            try Fixture.open.accepting(Person(userRecordName: "_y"), limits: limits) { "new" }
        }
        #expect(error?.reason.contains("at most 5") == true)
    }

    @Test(
        "Each person sees only the participants that concern them",
        arguments: [
            ("_anna", ["A", "B", "C", "D", "E"]), ("_ben", ["A", "B"]), ("_eve", ["A", "E"]), ("_dan", ["A", "D"]),
        ])
    func views(user: String, expected: [String]) throws {
        let seen = try view(Fixture.open, user)
        #expect(seen["participants"]?.array?.compactMap { $0.object?["participantId"]?.string } == expected)
        #expect(seen.contains("blocked") == (user == "_anna"))
        #expect(seen["currentUserParticipant"]?.object?["userIdentity"]?.object?["userRecordName"]?.string == user)
    }

    @Test("A link shows the owner's address to no visitor") func ownerAddress() throws {
        let seen = try view(Fixture.open, "_nobody")
        #expect(seen["participants"]?.array?.count == 1)
        #expect(seen["owner"]?.object?["userIdentity"]?.object?.contains("lookupInfo") == false)
    }

    private func view(_ state: ShareState, _ user: String) throws -> JSONObject {
        var writer = JSONWriter()
        writer.object { state.writeMembers(for: state.participant(user: user), to: &$0) }
        return try #require(try JSONParser.parse(writer.bytes).object)
    }
}
