/// Rules for the names of records, zones, types and fields. Each function returns nil or the violated rule.
package enum Naming {
    /// The most bytes of a name of a type, role or field.
    package static let longestName = 255

    /// Record names: any text without control characters; a leading `_` is the system's (reference A §2.3).
    ///
    /// - Parameter isNew: whether the name is for a new record. Records from version 0.3 may contain C1 control characters.
    package static func fault(
        recordName name: String, limit: Int, system: Bool = false, isNew: Bool = false
    ) -> Reason? {
        if let fault = textFault(name, what: "recordName", limit: limit, isNew: isNew) { return fault }
        if name.utf8.first == UInt8(ascii: "_") && !system {
            return "recordName '\(shown(name))' is reserved: names starting with '_' belong to the system"
        }
        return nil
    }

    /// Custom zone names (reference A §7.3).
    ///
    /// - Parameter isNew: whether the name is for a new zone. Zones from version 0.3 may contain C1 control characters.
    package static func fault(zoneName name: String, limit: Int, isNew: Bool = true) -> Reason? {
        if let fault = textFault(name, what: "zoneName", limit: limit, isNew: isNew) { return fault }
        if name.utf8.first == UInt8(ascii: "_") {
            return "zoneName '\(shown(name))' is reserved: names starting with '_' belong to the system"
        }
        return nil
    }

    /// Ids of subscriptions: any text without control characters.
    package static func fault(subscriptionName name: String, limit: Int) -> Reason? {
        textFault(name, what: "subscriptionID", limit: limit)
    }

    /// Record types: a letter, then letters, digits, `_`, `-` and `.`. Clients may write a single system type, the share.
    package static func fault(recordType name: String) -> Reason? {
        if let fault = textFault(name, what: "recordType", limit: longestName) { return fault }
        if name.isExactly(RecordType.share) { return nil }
        let folded = name.lowercased()
        if folded == RecordType.share {
            // Apple's guide prints cloudKit.share; its service answers the first of these two sentences.
            return
                "Cannot share - no such record exists to share: the type of a share record is '\(known: RecordType.share)', "
                + "not '\(name)'"
        }
        if folded.hasPrefix("cloudkit.") {
            return "recordType '\(shown(name))' is reserved: this server has no such type"
        }
        let rest = name.utf8.dropFirst()
        guard isLetter(name.utf8.first),
            rest.allSatisfy({ isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") })
        else { return "recordType '\(shown(name))' must be a letter, then letters, digits, '_', '-' or '.'" }
        return nil
    }

    /// Custom roles: a letter, then letters, digits and `_`.
    package static func fault(roleName name: String) -> Reason? {
        if let fault = textFault(name, what: "role name", limit: longestName) { return fault }
        guard isIdentifier(name)
        else { return "role name '\(shown(name))' must be a letter, then letters, digits or '_'" }
        return nil
    }

    /// Field names: a letter, then letters, digits and `_` (reference A §11.1), or a share's dotted names.
    package static func fault(fieldName name: String) -> Reason? {
        // Fast path for most names: an identifier within the limit breaks none of the rules below.
        if name.utf8.count <= longestName, isIdentifier(name) { return nil }
        if isShareField(name) { return nil }
        return textFault(name, what: "field name", limit: longestName)
            ?? "field name '\(shown(name))' must be a letter, then letters, digits or '_'"
    }

    /// Returns true for the dotted names reserved for share records.
    package static func isShareField(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: "c") && ShareName.fields.contains { $0.name == name }
    }

    /// A client's text, truncated for error messages.
    package static func shown(_ text: String) -> String {
        text.unicodeScalars.count <= 80 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(80))) + "…"
    }

    private static func textFault(
        _ text: String, what: StaticString, limit: Int, isNew: Bool = true
    ) -> Reason? {
        if text.isEmpty { return "\(known: what) must not be empty" }
        // A text has at most as many scalars as bytes, so only long names need counting.
        if text.utf8.count > limit {
            let count = text.unicodeScalars.count
            if count > limit { return "\(known: what) has \(count) characters, at most \(limit) are allowed" }
        }
        if text.utf8Span.span.hasControl(orC1: isNew) {
            return "\(known: what) must not contain control characters"
        }
        return nil
    }

    /// Returns true for a letter, then letters, digits and `_`.
    private static func isIdentifier(_ name: String) -> Bool {
        let bytes = name.utf8Span.span
        guard !bytes.isEmpty, isLetter(bytes[0]) else { return false }
        for index in bytes.indices where !isWord(bytes[index]) { return false }
        return true
    }

    static func isLetter(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
}

extension Span<UInt8> {
    /// True if the text contains an ASCII control character, or a C1 control character, in UTF-8 C2 80 to C2 9F.
    fileprivate func hasControl(orC1 isC1Meant: Bool) -> Bool {
        var last: UInt8 = 0
        for index in indices {
            let byte = self[index]
            if byte < 0x20 || byte == 0x7F || isC1Meant && last == 0xC2 && byte < 0xA0 { return true }
            last = byte
        }
        return false
    }
}
