import CloudModel
import Testing

/// The text of notifications (reference B §7.5).
struct SubscriptionMessageTests {
    private static let zone = ZoneID(name: "Notes", owner: "_alice")
    private static let fields = """
        {"title":{"value":"Coast","type":"STRING"},"count":{"value":3,"type":"INT64"},
        "half":{"value":0.5,"type":"DOUBLE"},"tags":{"value":["a"],"type":"STRING_LIST"},
        "picture":{"value":{"size":1},"type":"ASSETID"},
        "secret":{"value":"x","type":"STRING","isEncrypted":true}}
        """

    private static func text(
        _ info: String = "{}", record: String? = nil, fields: String = fields, badge: Int64 = 1
    ) throws -> String {
        let object = try #require(try JSONParser.parse(Array(fields.utf8)).object)
        let message = SubscriptionMessage(
            container: "iCloud.com.example.app", user: "_alice", scope: .private, subscription: "s1", id: "n1",
            subject: record.map { .record(name: $0, in: zone, .update, fields: object) } ?? .zone(zone),
            info: try NotificationInfo(JSONParser.parse(Array(info.utf8))))
        return String(decoding: message.text(badge: badge), as: UTF8.self)
    }

    private static let start = #""ck":{"ce":2,"cid":"iCloud.com.example.app","ckuserid":"_alice","nid":"n1""#

    @Test("A query subscription's message has the record, the reason and the desired fields")
    func recordMessage() throws {
        let info = """
            {"alertBody":"New","soundName":"default","shouldBadge":true,"shouldSendContentAvailable":true,
            "additionalFields":["title","picture","secret"]}
            """
        #expect(
            try Self.text(info, record: "r1", badge: 7)
                == #"{"aps":{"alert":{"body":"New"},"sound":"default","badge":7,"content-available":1},"#
                + Self.start + #","aux":{},"qry":{"sid":"s1","rid":"r1","zid":"Notes","zoid":"_alice","fo":2,"dbs":1,"#
                + #""af":{"title":"Coast"}}}}"#)
    }

    @Test("The message about a zone names the zone and no record") func zoneMessage() throws {
        #expect(
            try Self.text()
                == #"{"aps":{"content-available":1},"# + Self.start
                + #","aux":{},"fet":{"sid":"s1","zid":"Notes","zoid":"_alice","dbs":1}}}"#)
    }

    @Test("A database subscription's message names no zone", arguments: [(DatabaseScope.private, 1), (.shared, 3)])
    func databaseMessage(scope: DatabaseScope, number: Int) {
        let message = SubscriptionMessage(
            container: "iCloud.com.example.app", user: "_alice", scope: scope, subscription: "s1", id: "n1",
            subject: .database(of: "_alice"), info: NotificationInfo())
        #expect(
            String(decoding: message.text(badge: 1), as: UTF8.self)
                == #"{"aps":{"content-available":1},"# + Self.start
                + #","met":{"sid":"s1","zid":"_defaultZone","zoid":"_alice","dbs":\#(number)}}}"#)
    }

    /// A placeholder stays where its value is missing, or neither text nor a number.
    @Test("Arguments of localized texts are the record's values") func localizedTexts() throws {
        let info = """
            {"alertLocalizationKey":"K","alertLocalizationArgs":["count","absent","half","tags","title"],
            "alertActionLocalizationKey":"A","alertLaunchImage":"I","category":"C"}
            """
        #expect(
            try Self.text(info, record: "r1").hasPrefix(
                #"{"aps":{"alert":{"loc-key":"K","action-loc-key":"A","launch-image":"I","#
                    + #""loc-args":["3","","0.5","","Coast"]},"category":"C"},"#))
    }

    @Test("Fields that do not fit are left out and the message is marked as pruned") func pruned() throws {
        let long = String(repeating: "x", count: 3000)
        let fields = #"{"title":{"value":"\#(long)","type":"STRING"}}"#
        let info = #"{"alertBody":"\#(long)","additionalFields":["title"]}"#
        let withoutFields = try Self.text(info, record: "r1", fields: fields)
        #expect(withoutFields.utf8.count <= 4096)
        #expect(withoutFields.contains(long) && !withoutFields.contains(#""af""#))
        #expect(withoutFields.hasSuffix(#","p":1}}"#))

        let longer = String(repeating: "x", count: 5000)
        let bare = try Self.text(#"{"alertBody":"\#(longer)","shouldBadge":true}"#, record: "r1", badge: 2)
        #expect(bare.hasPrefix(#"{"aps":{"badge":2},"#) && bare.hasSuffix(#","p":1}}"#))
        #expect(NotificationMessage.marked(Array(bare.utf8)) == Array(bare.utf8))
    }

    @Test("A message written from a shared frame equals one written for each user")
    func framesOfUsers() throws {
        let fields = try #require(try JSONParser.parse(Array(Self.fields.utf8)).object)
        func message(_ user: String, _ info: String) throws -> SubscriptionMessage {
            SubscriptionMessage(
                container: "iCloud.com.example.app", user: user, scope: .public, subscription: "s1", id: "n1",
                subject: .record(name: "r", in: Self.zone, .create, fields: fields),
                info: try NotificationInfo(JSONParser.parse(Array(info.utf8))))
        }
        for info in ["{}", #"{"alertBody":"_alice","additionalFields":["title"]}"#] {
            let frame = try #require(try message("_alice", info).frame)
            for user in ["_alice", "_b", #"quote " and \ and ü"#] {
                #expect(try frame.text(for: user) == message(user, info).text(badge: 1))
            }
            #expect(frame.text(for: String(repeating: "u", count: NotificationMessage.mostBytes)) == nil)
        }
        #expect(try message("_alice", #"{"shouldBadge":true}"#).frame == nil)
    }

    /// The mark may come later, when others are dropped from the queue.
    @Test("The longest message has room for the mark that earlier ones were dropped") func roomForMark() throws {
        for length in 3700...4100 {
            let message = try Self.text(#"{"alertBody":"\#(String(repeating: "x", count: length))"}"#, record: "r1")
            #expect(NotificationMessage.marked(Array(message.utf8)).count <= NotificationMessage.mostBytes)
        }
    }
}
