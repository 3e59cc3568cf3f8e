import CloudModel
import Testing

/// The subscription dictionary (reference B §6.1, §6.2): where each kind is allowed, what is refused, what is echoed.
struct SubscriptionTests {
    private static func read(_ text: String, in scope: DatabaseScope = .private) throws -> Subscription {
        let database: DatabaseAddress =
            switch scope {
            case .public: .public
            case .private: .private(owner: "_alice")
            case .shared: .shared(with: "_alice")
            }
        let object = try #require(try JSONParser.parse(Array(text.utf8)).object)
        return try Subscription(object, name: "s1", scope: scope, database: database, limits: Limits())
    }

    private static let query = #""query":{"recordType":"Note"},"firesOn":["create"]"#
    private static let forms: [(text: String, kind: SubscriptionKind, allowed: [DatabaseScope])] = [
        (#"{"subscriptionType":"query",\#(query)}"#, .query, [.public, .private]),
        (#"{"subscriptionType":"query","zoneWide":true,\#(query)}"#, .query, [.public, .private]),
        (#"{"subscriptionType":"query","zoneID":{"zoneName":"_defaultZone"},\#(query)}"#, .query, [.public, .private]),
        (#"{"subscriptionType":"query","zoneID":{"zoneName":"Notes"},\#(query)}"#, .query, [.private]),
        (#"{"subscriptionType":"zone","zoneID":{"zoneName":"Notes"}}"#, .zone, [.private]),
        (#"{"subscriptionType":"zone","zoneID":{"zoneName":"_defaultZone"}}"#, .zone, []),
        (#"{"subscriptionType":"zone","zoneWide":true}"#, .database, [.private, .shared]),
        (#"{"subscriptionType":"database"}"#, .database, [.private, .shared]),
        (#"{"subscriptionType":"database","zoneWide":true}"#, .database, [.private, .shared]),
    ]

    @Test("Each kind of subscription is accepted in its databases only", arguments: forms, DatabaseScope.allCases)
    func kinds(form: (text: String, kind: SubscriptionKind, allowed: [DatabaseScope]), scope: DatabaseScope) throws {
        guard form.allowed.contains(scope) else {
            let error = #expect(throws: ServerError.self) { try Self.read(form.text, in: scope) }
            #expect(error?.code == .badRequest)
            return
        }
        #expect(try Self.read(form.text, in: scope).kind == form.kind)
    }

    @Test(
        "A malformed subscription is refused by the member at fault",
        arguments: [
            (#"{}"#, "subscriptionType"),
            (#"{"subscriptionType":1}"#, "subscriptionType"),
            (#"{"subscriptionType":"zones"}"#, "subscriptionType 'zones'"),
            (#"{"subscriptionType":"query","firesOn":["create"]}"#, "query"),
            (#"{"subscriptionType":"query","query":{"recordType":"Note"}}"#, "firesOn"),
            (#"{"subscriptionType":"query","query":{"recordType":"Note"},"firesOn":[]}"#, "firesOn"),
            (#"{"subscriptionType":"query","query":{"recordType":"Note"},"firesOn":"create"}"#, "firesOn"),
            (#"{"subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["read"]}"#, "firesOn"),
            (#"{"subscriptionType":"query",\#(query),"firesOnce":1}"#, "firesOnce"),
            (#"{"subscriptionType":"query",\#(query),"zoneWide":"yes"}"#, "zoneWide"),
            (#"{"subscriptionType":"query",\#(query),"zoneWide":true,"zoneID":{"zoneName":"Notes"}}"#, "zoneWide"),
            (#"{"subscriptionType":"query",\#(query),"zoneID":{"zoneName":"Notes","ownerRecordName":"_bob"}}"#, "zone"),
            (#"{"subscriptionType":"zone"}"#, "zoneID"),
            (#"{"subscriptionType":"zone","zoneID":{"zoneName":"Notes"},"firesOnce":true}"#, "firesOnce"),
            (#"{"subscriptionType":"zone","zoneID":{"zoneName":"Notes"},"firesOn":["create"]}"#, "firesOn"),
            (#"{"subscriptionType":"database","query":{"recordType":"Note"}}"#, "query"),
            (#"{"subscriptionType":"database","zoneID":{"zoneName":"Notes"}}"#, "zoneID"),
            (#"{"subscriptionType":"database","notificationInfo":1}"#, "notificationInfo"),
            (#"{"subscriptionType":"database","notificationInfo":{"alertBody":1}}"#, "notificationInfo.alertBody"),
            (#"{"subscriptionType":"database","notificationInfo":{"shouldBadge":1}}"#, "notificationInfo.shouldBadge"),
            (
                #"{"subscriptionType":"database","notificationInfo":{"alertLocalizationArgs":[1]}}"#,
                "notificationInfo.alertLocalizationArgs"
            ),
            (
                #"{"subscriptionType":"database","notificationInfo":{"additionalFields":["a","b","c","d"]}}"#,
                "at most 3"
            ),
        ])
    func malformed(text: String, reason: String) {
        let error = #expect(throws: ServerError.self) { try Self.read(text) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("Known members of a subscription are echoed as they were sent") func echo() throws {
        let text = """
            {"notificationInfo":{"own":{"a":[1,null]},"alertBody":"b"},"subscriptionID":"other","firesOnce":false,
            "zoneID":{"zoneName":"Notes"},"subscriptionType":"query","unknown":1,
            "query":{"recordType":"Note","filterBy":{"fieldName":"a","comparator":"EQUALS","fieldValue":{"value":1.0}}},
            "firesOn":["delete","create"]}
            """
        let body = try Self.read(text).body
        let expected = """
            {"subscriptionID":"s1","subscriptionType":"query",\
            "zoneID":{"zoneName":"Notes","ownerRecordName":"_alice","zoneType":"REGULAR_CUSTOM_ZONE"},\
            "query":{"recordType":"Note","filterBy":{"fieldName":"a","comparator":"EQUALS","fieldValue":{"value":1.0}}},\
            "firesOn":["delete","create"],"firesOnce":false,"notificationInfo":{"own":{"a":[1,null]},"alertBody":"b"}}
            """
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }

    @Test("A query subscription without a zone is for the default zone") func defaultZone() throws {
        let subscription = try Self.read(#"{"subscriptionType":"query",\#(Self.query)}"#)
        #expect(subscription.zone == ZoneID(name: ZoneID.defaultName, owner: "_alice"))
        #expect(!String(decoding: subscription.body, as: UTF8.self).contains("zoneID"))
    }

    @Test("A subscription over the byte limit is refused with the size and the limit") func byteLimit() throws {
        let long = String(repeating: "x", count: 17_000)
        let error = #expect(throws: ServerError.self) {
            try Self.read(#"{"subscriptionType":"database","notificationInfo":{"alertBody":"\#(long)"}}"#)
        }
        #expect(error?.reason.contains("16384") == true)
    }
}
