/// The content of a subscription's notification (reference B §7.5).
package struct SubscriptionMessage: Sendable {
    package enum Subject: Sendable {
        /// A record was created, changed or deleted. Its fields come from the stored body.
        case record(name: String, in: ZoneID, FiringReasons, fields: JSONObject)
        /// Records changed that may match a query.
        case records(in: ZoneID)
        case zone(ZoneID)
        /// A change somewhere in a database: its owner's, or a participant's shared database.
        case database(of: String)
    }

    /// The container's name.
    package let container: String
    /// The owner of the subscription.
    package let user: String
    package let scope: DatabaseScope
    package let subscription: String
    /// Shared by all notifications of one change.
    package let id: String
    package let subject: Subject
    package let info: NotificationInfo

    package init(
        container: String, user: String, scope: DatabaseScope, subscription: String, id: String, subject: Subject,
        info: NotificationInfo
    ) {
        self.container = container
        self.user = user
        self.scope = scope
        self.subscription = subscription
        self.id = id
        self.subject = subject
        self.info = info
    }

    /// The JSON message, marked if parts were dropped for size.
    ///
    /// - Parameter badge: the number to show if the subscription requests a badge.
    package func text(badge: Int64) -> [UInt8] {
        let whole = text(badge: badge, .all)
        if whole.count <= NotificationMessage.mostBytesUnmarked { return whole }
        let plain = NotificationMessage.marked(text(badge: badge, .withoutFields))
        if plain.count <= NotificationMessage.mostBytes { return plain }
        return NotificationMessage.marked(text(badge: badge, .withoutAlert))
    }

    /// A silent message that replaces this message and other, unsent messages.
    package var pruned: [UInt8] {
        let subject: Subject = if case .record(_, let zone, _, _) = subject { .records(in: zone) } else { subject }
        let message = SubscriptionMessage(
            container: container, user: user, scope: scope, subscription: subscription, id: id, subject: subject,
            info: NotificationInfo())
        return message.text(badge: 0)
    }

    /// Levels of shortening for oversized messages; the least important parts go first.
    private enum Parts: Int, Comparable {
        case all, withoutFields, withoutAlert

        static func < (left: Parts, right: Parts) -> Bool { left.rawValue < right.rawValue }
    }

    private func text(badge: Int64, _ parts: Parts) -> [UInt8] { written(badge: badge, parts).text }

    /// - Returns: the text, with the range of the user's name.
    private func written(badge: Int64, _ parts: Parts) -> (text: [UInt8], user: Range<Int>) {
        var writer = JSONWriter(capacity: 1024)
        var user = 0..<0
        writer.object {
            $0.key("aps")
            $0.object { writeAps(badge: badge, parts, to: &$0) }
            $0.key("ck")
            $0.object {
                $0.member("ce", 2)
                $0.member("cid", container)
                $0.key("ckuserid")
                let start = $0.bytes.count
                $0.string(self.user)
                user = start..<$0.bytes.count
                $0.member("nid", id)
                writeSubject(parts, to: &$0)
            }
        }
        return (writer.bytes, user)
    }

    /// The shared part of messages about one change, for different users whose subscriptions have equal names and forms.
    package struct Frame: Sendable {
        /// The text before the user's name; the text after the name is ``tail``.
        package let head: [UInt8]
        package let tail: [UInt8]

        package init(head: [UInt8], tail: [UInt8]) { (self.head, self.tail) = (head, tail) }

        fileprivate init(_ text: [UInt8], user: Range<Int>) {
            self.init(head: Array(text[..<user.lowerBound]), tail: Array(text[user.upperBound...]))
        }

        /// The JSON message for a user; nil if it is too long and needs shortening.
        package func text(for user: String) -> [UInt8]? {
            var writer = JSONWriter(capacity: user.utf8.count + 2)
            writer.string(user)
            let size = head.count + writer.bytes.count + tail.count
            guard size <= NotificationMessage.mostBytesUnmarked else { return nil }
            var text: [UInt8] = []
            text.reserveCapacity(size)
            text += head
            text += writer.bytes
            text += tail
            return text
        }
    }

    /// Nil if the message has a badge, whose count depends on the device.
    package var frame: Frame? {
        if info.badges { return nil }
        let (text, user) = written(badge: 0, .all)
        return Frame(text, user: user)
    }

    // MARK: ck

    private func writeSubject(_ parts: Parts, to writer: inout JSONWriter) {
        switch subject {
        case .record(let name, let zone, let reason, let fields):
            writeAux(to: &writer)
            writer.key("qry")
            writer.object {
                $0.member("sid", subscription)
                $0.member("rid", name)
                writeZone(zone, to: &$0)
                $0.member("fo", reason.number)
                $0.member("dbs", scope.number)
                if parts < .withoutFields { writeFields(fields, to: &$0) }
            }
        case .records(let zone):
            writeAux(to: &writer)
            writer.key("qry")
            writer.object {
                $0.member("sid", subscription)
                writeZone(zone, to: &$0)
                $0.member("dbs", scope.number)
            }
        case .zone(let zone):
            writeAux(to: &writer)
            writer.key("fet")
            writer.object {
                $0.member("sid", subscription)
                writeZone(zone, to: &$0)
                $0.member("dbs", scope.number)
            }
        case .database(let owner):
            writer.key("met")
            writer.object {
                $0.member("sid", subscription)
                writeZone(ZoneID(name: ZoneID.defaultName, owner: owner), to: &$0)
                $0.member("dbs", scope.number)
            }
        }
    }

    private func writeAux(to writer: inout JSONWriter) {
        writer.key("aux")
        writer.object { _ in }
    }

    private func writeZone(_ zone: ZoneID, to writer: inout JSONWriter) {
        writer.member("zid", zone.name)
        writer.member("zoid", zone.owner)
    }

    private func writeFields(_ fields: JSONObject, to writer: inout JSONWriter) {
        let values = info.additionalFields.compactMap { name in
            Self.value(of: name, in: fields).map { (name, $0) }
        }
        if values.isEmpty { return }
        writer.key("af")
        writer.object {
            for (name, value) in values {
                $0.key(name)
                $0.value(value)
            }
        }
    }

    /// A field's bare value. Asset and encrypted fields are left out: clients fetch the record for them.
    private static func value(of name: String, in fields: JSONObject) -> JSONValue? {
        guard let field = fields[name]?.object, field["type"]?.string?.hasPrefix("ASSET") != true,
            field["isEncrypted"] == nil
        else { return nil }
        return field["value"]
    }

    // MARK: aps

    private func writeAps(badge: Int64, _ parts: Parts, to writer: inout JSONWriter) {
        let start = writer.bytes.count
        if parts < .withoutAlert, !info.alertTexts.isEmpty || !info.alertFields.isEmpty {
            writer.key("alert")
            writer.object { writeAlert(parts, to: &$0) }
        }
        if parts < .withoutAlert {
            writer.member("sound", info.sound)
            writer.member("category", info.category)
        }
        if info.badges { writer.member("badge", badge) }
        if info.isMutable { writer.member("mutable-content", 1) }
        // A message without visible parts is silent, even if the subscription did not request that.
        if info.isContentAvailable || writer.bytes.count == start { writer.member("content-available", 1) }
    }

    private func writeAlert(_ parts: Parts, to writer: inout JSONWriter) {
        for (key, text) in info.alertTexts {
            writer.key(key)
            writer.string(text)
        }
        guard parts < .withoutFields, case .record(_, _, _, let fields) = subject else { return }
        for (key, names) in info.alertFields {
            writer.key(key)
            writer.array { for name in names { $0.string(Self.text(of: name, in: fields)) } }
        }
    }

    /// A value as an argument of a localized text; empty for a missing value, so that the other arguments keep their positions.
    private static func text(of name: String, in fields: JSONObject) -> String {
        switch value(of: name, in: fields) {
        case .string(let text): text
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        default: ""
        }
    }
}

extension FiringReasons {
    /// The reason's number in notifications.
    fileprivate var number: Int64 { self == .create ? 1 : self == .update ? 2 : 3 }
}
