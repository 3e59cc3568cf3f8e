import CloudModel
import Testing

/// Zones as requests name them (reference A §2.1, clients 8).
struct ZoneNameTests {
    @Test(
        "A zone identifier is read in every form that requests have",
        arguments: [
            (#"{"zoneName":"N"}"#, ZoneName(name: "N", owner: nil)),
            (#"{"zoneName":"N","ownerRecordName":"_a","zoneType":"X"}"#, ZoneName(name: "N", owner: "_a")),
            (#"{"zoneName":"N","ownerName":"_a"}"#, ZoneName(name: "N", owner: "_a")),
            (#"{"zoneName":"N","ownerName":"__defaultOwner__"}"#, ZoneName(name: "N", owner: nil)),
            (#"{"zoneName":"N","ownerRecordName":null}"#, ZoneName(name: "N", owner: nil)),
        ])
    func read(text: String, expected: ZoneName) throws {
        #expect(try ZoneName(json(text)) == expected)
    }

    @Test(
        "A malformed zone identifier is refused",
        arguments: [
            #""N""#, "{}", #"{"zoneName":5}"#, #"{"zoneName":null}"#, #"{"zoneName":"N","ownerRecordName":5}"#,
        ])
    func refused(text: String) {
        #expect(throws: ServerError.self) { try ZoneName(json(text)) }
    }

    @Test(
        "A request's zone must belong to its database",
        arguments: [
            (DatabaseAddress.public, ZoneName.default, ZoneID.world),
            (.public, ZoneName(name: "_defaultZone", owner: "_me"), .world),
            (.public, ZoneName(name: "N", owner: nil), nil),
            (.private(owner: "_a"), ZoneName(name: "N", owner: nil), ZoneID(name: "N", owner: "_a")),
            (.private(owner: "_a"), ZoneName(name: "N", owner: "_a"), ZoneID(name: "N", owner: "_a")),
            (.private(owner: "_a"), ZoneName(name: "N", owner: "_b"), nil),
            (.shared(with: "_a"), ZoneName(name: "N", owner: "_b"), ZoneID(name: "N", owner: "_b")),
            (.shared(with: "_a"), ZoneName(name: "N", owner: nil), nil),
        ] as [(DatabaseAddress, ZoneName, ZoneID?)])
    func address(database: DatabaseAddress, name: ZoneName, expected: ZoneID?) {
        #expect((try? database.zone(name)) == expected)
    }

    @Test(
        "A change tag holds a position and a part of the epoch",
        arguments: [(Int64(0), "0"), (35, "z"), (36, "10"), (1_698_214_460_422, "lo5d1jwm")])
    func changeTags(position: Int64, tag: String) {
        #expect(ChangeTag.text(position, part: nil) == tag)
        #expect(ChangeTag.position(tag) == position)
        let epoch = Epoch(id: 36, first: 1, began: Timestamp(milliseconds: 0), kept: nil)
        #expect(ChangeTag.text(position, part: epoch.tagPart) == "000010\(tag)")
        #expect(ChangeTag.position("000010\(tag)") == position)
    }

    @Test("A malformed change tag has no position", arguments: ["", "-", "0-", "00001", "000010", "1é", "0000!01x!"])
    func noChangeTag(text: String) { #expect(ChangeTag.position(text) == nil) }
}
