/// The JSON text of notification messages (reference B §7.5).
package enum NotificationMessage {
    /// The size limit of a message in bytes, as in push services.
    package static let mostBytes = 4096
    /// The largest message, in bytes, with room left for the mark.
    package static let mostBytesUnmarked = mostBytes - mark.count

    private static let mark = Array(#","p":1"#.utf8)

    /// Adds the mark for omitted messages or omitted parts. Expects `ck` as the message's last member.
    package static func marked(_ message: [UInt8]) -> [UInt8] {
        let end = Array("}}".utf8)
        let start = Array(message.dropLast(end.count))
        if start.suffix(mark.count).elementsEqual(mark) { return message }
        return start + mark + end
    }

    /// Reduces a message to the place of the change, without record values and subscribers' texts; sets the mark.
    package static func withoutValues(_ message: [UInt8]) -> [UInt8] {
        guard let object = try? JSONParser.parse(message).object, let ck = object["ck"]?.object else { return [] }
        let kept = ck.members.map { member -> JSONObject.Member in
            guard member.key == "qry", let query = member.value.object else { return member }
            let members = query.members.filter { $0.key != "af" }
            return JSONObject.Member(key: member.key, value: .object(JSONObject(members)))
        }
        var writer = JSONWriter(capacity: message.count)
        writer.object {
            $0.key("aps")
            $0.object { $0.member("content-available", 1) }
            $0.key("ck")
            $0.value(.object(JSONObject(kept)))
        }
        return marked(writer.bytes)
    }
}
