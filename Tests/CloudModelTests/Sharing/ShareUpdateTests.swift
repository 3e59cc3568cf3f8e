import CloudModel
import Testing

/// A share's list of people after its owner has changed it (reference B §9.4).
struct ShareUpdateTests {
    static let identifiers = ShareState.Identifiers(participant: { "new" }, link: { "token" })

    /// Anna owns it, Ben has accepted, Cleo is invited by email, Dan by user.
    static var state: ShareState {
        var state = ShareState(
            owner: ShareIdentity(userRecordName: "_anna", lookup: LookupInfo(email: "anna@example.com")), ownerID: "A")
        state.participants += [
            Participant(
                id: "B", type: .user, status: .accepted, permission: .readOnly,
                identity: ShareIdentity(userRecordName: "_ben", lookup: LookupInfo(email: "ben@example.com"))),
            Participant(
                id: "C", type: .user, status: .invited, permission: .readWrite,
                identity: ShareIdentity(lookup: LookupInfo(email: "cleo@example.com"))),
            Participant(
                id: "D", type: .user, status: .invited, permission: .readOnly,
                identity: ShareIdentity(userRecordName: "_dan", lookup: LookupInfo(userRecordName: "_dan"))),
        ]
        return state
    }

    /// The same share opened to everybody with the link, through which Eve has come.
    static var open: ShareState {
        var state = state
        state.publicPermission = .readOnly
        state.participants.append(
            Participant(
                id: "E", type: .publicUser, status: .accepted, permission: .readOnly,
                identity: ShareIdentity(userRecordName: "_eve")))
        return state
    }

    static func change(_ members: String) throws -> ShareChange {
        let text =
            #"{"operationType":"update","record":{"recordName":"S","recordType":"cloudkit.share","#
            + #""recordChangeTag":"1",\#(members)}}"#
        let parsed = try RecordOperation.parse(
            JSONParser.parse(Array(text.utf8)), at: 0, defaults: Presentation(), limits: Limits())
        return try #require(try parsed.get().share)
    }

    private func applied(_ members: String, to state: ShareState = state) throws -> ShareState {
        try state.applying(Self.change(members), limits: Limits(), identifiers: Self.identifiers)
    }

    private func entries(_ state: ShareState) -> [String] {
        state.participants.map {
            "\($0.id) \($0.type.rawValue) \($0.status.rawValue) \($0.permission.rawValue)"
        }
    }

    private static let ben = "B USER ACCEPTED READ_ONLY"
    private static let cleo = "C USER INVITED READ_WRITE"
    private static let dan = "D USER INVITED READ_ONLY"

    @Test(
        "The participants of an update replace the previous ones",
        arguments: [
            (#""x":1"#, [ben, cleo, dan]),
            (#""participants":[]"#, []),
            (#""participants":[{"participantId":"A"},{"participantId":"C"}]"#, [cleo]),
            (#""participants":[{"participantId":"B","permission":"READ_WRITE"}]"#, ["B USER ACCEPTED READ_WRITE"]),
            (#""participants":[{"participantId":"B","type":"ADMINISTRATOR"}]"#, ["B ADMINISTRATOR ACCEPTED READ_ONLY"]),
            (#""participants":[{"participantId":"C","acceptanceStatus":"ACCEPTED"}]"#, [cleo]),
            (#""participants":[{"participantId":"B","acceptanceStatus":"REMOVED"},{"participantId":"C"}]"#, [cleo]),
            (#""participants":[{"userIdentity":{"userRecordName":"_ben"}}]"#, [ben]),
            (
                #""participants":[{"participantId":"Z","userIdentity":{"userRecordName":"_ben"}}]"#,
                ["Z USER ACCEPTED READ_ONLY"]
            ),
            (#""participants":[{"userIdentity":{"lookupInfo":{"emailAddress":" CLEO@Example.com "}}}]"#, [cleo]),
            (#""participants":[{"userIdentity":{"lookupInfo":{"userRecordName":"_dan"}}}]"#, [dan]),
            (#""participants":[{"participantId":"A","type":"USER","permission":"NONE"}]"#, []),
            (
                #""participants":[{"type":"USER","userIdentity":{"lookupInfo":{"emailAddress":"anna@example.com"}}}]"#,
                []
            ),
            (#""participants":[{"participantId":"B"},{"userIdentity":{"userRecordName":"_ben"}}]"#, [ben]),
            (
                #""participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"f@example.com"}}}]"#,
                ["new USER INVITED READ_ONLY"]
            ),
            (
                #""participants":[{"type":"PRIVATE_USER","acceptanceStatus":"PENDING","permission":"READ_WRITE","#
                    + #""userIdentity":{"lookupInfo":{"phoneNumber":"+1 555"}}},"#
                    + #"{"userIdentity":{"lookupInfo":{"phoneNumber":"+1-555"}}}]"#, ["new USER INVITED READ_WRITE"]
            ),
            (
                #""participants":[{"participantId":"F","acceptanceStatus":"ACCEPTED","#
                    + #""userIdentity":{"lookupInfo":{"userRecordName":"_fay"}}}]"#, ["F USER INVITED READ_ONLY"]
            ),
            (#""publicPermission":"READ_WRITE""#, [ben]),
            (#""publicPermission":"NONE""#, [ben, cleo, dan]),
            (#""blocked":[{"requesterInformation":{"userRecordName":"_ben"}}]"#, [cleo, dan]),
        ])
    func replacement(members: String, expected: [String]) throws {
        #expect(try entries(applied(members)) == ["A OWNER ACCEPTED READ_WRITE"] + expected)
    }

    @Test(
        "Setting publicPermission to NONE removes people who joined by the link",
        arguments: [
            (#""publicPermission":"NONE""#, [ben]),
            (#""publicPermission":"READ_WRITE""#, [ben, "E PUBLIC_USER ACCEPTED READ_WRITE"]),
            (
                #""publicPermission":"NONE","participants":[{"participantId":"N","type":"USER","#
                    + #""userIdentity":{"userRecordName":"_eve"}}]"#, ["N USER ACCEPTED READ_ONLY"]
            ),
            (#""publicPermission":"NONE","participants":[{"participantId":"E"}]"#, []),
            (#""participants":[{"participantId":"B"}]"#, [ben]),
        ])
    func closedLink(members: String, expected: [String]) throws {
        #expect(try entries(applied(members, to: Self.open)) == ["A OWNER ACCEPTED READ_WRITE"] + expected)
    }

    @Test(
        "A share update that breaks a rule is refused with its reason",
        arguments: [
            (#""participants":[{"type":"USER"}]"#, "participants[0] needs userIdentity.lookupInfo"),
            (
                #""participants":[{"type":"PUBLIC_USER","userIdentity":{"userRecordName":"_x"}}]"#,
                "participants[0]: a PUBLIC"
            ),
            (
                #""publicPermission":"READ_ONLY","participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"f@x"}}}]"#,
                "participants[0]: people are invited only while publicPermission is NONE"
            ),
            (#""blocked":[{"userRecordName":"_anna"}]"#, "blocked: the owner"),
        ])
    func refused(members: String, reason: String) throws {
        let change = try Self.change(members)
        let error = #expect(throws: ServerError.self) {
            try Self.state.applying(change, limits: Limits(), identifiers: Self.identifiers)
        }
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(
        "A malformed list of participants is refused",
        arguments: [
            #""participants":1"#, #""participants":[1]"#, #""publicPermission":"ALL""#, #""publicPermission":1"#,
            #""participants":[{"type":"KING"}]"#, #""participants":[{"permission":[]}]"#, #""forRecord":"R""#,
            #""participants":[{"userIdentity":"x"}]"#, #""denyAccessRequests":"no""#, #""requesters":[{}]"#,
            #""participants":[{"userIdentity":{"lookupInfo":{"emailAddress":7}}}]"#,
        ])
    func malformed(members: String) {
        #expect(throws: (any Error).self) { try Self.change(members) }
    }

    @Test("A share with more than 100 people is refused") func limit() throws {
        var limits = Limits()
        limits.participantsPerShare = 4
        let change = try Self.change(
            #""participants":[{"participantId":"B"},{"participantId":"C"},{"participantId":"D"},"#
                + #"{"userIdentity":{"lookupInfo":{"emailAddress":"f@example.com"}}}]"#)
        let error = #expect(throws: ServerError.self) {
            try Self.state.applying(change, limits: limits, identifiers: Self.identifiers)
        }
        #expect(error?.reason.contains("at most 4 are allowed") == true)
        #expect(Limits().participantsPerShare == 100)
    }

    @Test("An approved requester leaves the list of requests") func approvedRequester() throws {
        var state = Self.state
        state.deniesAccessRequests = false
        state = try state.asking(Person(userRecordName: "_fay"), limits: Limits())
        state = try state.asking(Person(userRecordName: "_gus"), limits: Limits())
        #expect(state.requesters.map(\.userRecordName) == ["_fay", "_gus"])
        let approved = try applied(
            #""participants":[{"isApprovedRequester":true,"userIdentity":{"lookupInfo":{"userRecordName":"_fay"}}}]"#,
            to: state)
        #expect(approved.requesters.map(\.userRecordName) == ["_gus"])
        #expect(approved.participants.last?.isApprovedRequester == true)
        let denied = try applied(#""requesters":[]"#, to: approved)
        #expect(denied.requesters.isEmpty)
        let blocked = try applied(#""blocked":[{"userRecordName":"_gus"}]"#, to: state)
        #expect(blocked.requesters.map(\.userRecordName) == ["_fay"])
        #expect(throws: ShareState.notFound) { try blocked.asking(Person(userRecordName: "_gus"), limits: Limits()) }
    }

    @Test("A participant without an address gets a one-time link, which later updates keep")
    func linkForUnnamed() throws {
        let state = try applied(
            #""participants":[{"participantId":"L","type":"USER"}],"#
                + #""oneTimeStableUrlInfo":{"oneTimeLinks":[{"participantId":["L"]}]}"#)
        #expect(state.participants.last?.link == "token")
        let kept = try applied(#""participants":[{"participantId":"L","permission":"READ_WRITE"}]"#, to: state)
        #expect(kept.participants.last?.link == "token")
    }

    @Test("The stored form of a share keeps every member") func storedForm() throws {
        var state = Self.open
        state.participants[1].customRole = "critic"
        state.participants[2].link = "token"
        state.deniesAccessRequests = false
        state.blocked = ["_zoe"]
        state.requesters = [ShareIdentity(userRecordName: "_fay", names: PersonNames(given: "Fay", family: "\"Ø"))]
        #expect(ShareState(stored: state.stored) == state)
        #expect(ShareState(stored: []) == nil)
    }
}
