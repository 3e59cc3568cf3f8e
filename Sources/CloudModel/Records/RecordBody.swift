/// A record as the JSON of a response, stored in this form so that a read copies bytes (reference A §2.3).
///
/// The stored form has placeholder bytes for members that depend on the reader; a read fills them in.
package struct RecordBody: Hashable, Sendable {
    /// UTF-8.
    package let bytes: [UInt8]

    /// - Parameter bytes: a stored body, or a body from another function of this type.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// In bytes.
    package var size: Int { bytes.count }

    /// One entry of a record's history: user, device and time (reference A §2.3).
    package struct Stamp: Hashable, Sendable {
        /// The device ID for clients without a device name and for the server itself.
        package static let unknownDevice = "iCloud"

        package let timestamp: Timestamp
        package let userRecordName: String
        package let deviceID: String

        package init(timestamp: Timestamp, userRecordName: String, deviceID: String = unknownDevice) {
            self.timestamp = timestamp
            self.userRecordName = userRecordName
            self.deviceID = deviceID
        }

        // All keys are written: clients discard a stamp with a missing key.
        fileprivate func write(to writer: inout JSONWriter) {
            writer.append {
                $0.put(#"{"timestamp":"#)
                $0.put(timestamp.milliseconds)
            }
            writer.member(#""userRecordName":"#, text: userRecordName)
            writer.member(#""deviceID":"#, text: deviceID)
            writer.plain("}")
        }
    }

    /// A record's metadata, apart from its fields.
    package struct Header: Hashable, Sendable {
        package var recordName: String
        package var recordType: String
        package var changeTag: String
        package var created: Stamp
        package var modified: Stamp
        package var parent: String?
        package var shortGUID: String?
        /// The share record's name, if this record is the root of a share.
        package var share: String?

        package init(
            recordName: String, recordType: String, changeTag: String, created: Stamp, modified: Stamp,
            parent: String? = nil, shortGUID: String? = nil, share: String? = nil
        ) {
            self.recordName = recordName
            self.recordType = recordType
            self.changeTag = changeTag
            self.created = created
            self.modified = modified
            self.parent = parent
            self.shortGUID = shortGUID
            self.share = share
        }
    }

    /// - Parameters:
    ///   - fields: the text of the `fields` object.
    ///   - zone: nil in the public database, whose records name no zone.
    package init(_ header: Header, fields: [UInt8], zone: ZoneID?) {
        var writer = JSONWriter(capacity: fields.count + 512)
        writer.object {
            $0.member(#""recordName":"#, text: header.recordName)
            $0.member(#""recordType":"#, text: header.recordType)
            $0.key("fields")
            $0.verbatim(fields)
            $0.member(#""pluginFields":{},"recordChangeTag":"#, text: header.changeTag)
            $0.key("created")
            header.created.write(to: &$0)
            $0.key("modified")
            header.modified.write(to: &$0)
            $0.member("deleted", false)
            if let parent = header.parent {
                $0.key("parent")
                $0.object { $0.member("recordName", parent) }
            }
            $0.member("shortGUID", header.shortGUID)
            if let share = header.share, let zone {
                $0.key("share")
                $0.object {
                    $0.member("recordName", share)
                    $0.key("zoneID")
                    zone.write(to: &$0)
                }
            }
            if let zone {
                $0.key("zoneID")
                zone.write(to: &$0)
            }
        }
        bytes = header.recordType == RecordType.share ? Self.withReaderPlaceholder(writer.bytes) : writer.bytes
    }

    /// A deleted record's form in answers and change feeds.
    package static func tombstone(_ recordName: String) -> RecordBody {
        var writer = JSONWriter(capacity: recordName.utf8.count + 32)
        writer.object {
            $0.member("recordName", recordName)
            $0.member("deleted", true)
        }
        return RecordBody(writer.bytes)
    }

    /// The record's name, at the start of the stored form; nil for a damaged body.
    package var recordName: String? {
        let start = Array("{\"recordName\":\"".utf8)
        guard bytes.starts(with: start) else { return try? json()["recordName"]?.string }
        let name = bytes[start.count...].prefix { $0 != UInt8(ascii: "\"") }
        // The parser decodes names with escapes.
        guard !name.contains(UInt8(ascii: "\\")) else { return try? json()["recordName"]?.string }
        return String(validating: name, as: UTF8.self)
    }

    /// The stored form as a JSON object.
    ///
    /// - Throws: ``JSONParser/Failure`` if the stored form is not JSON, a sign of a damaged database.
    package func json() throws(JSONParser.Failure) -> JSONObject {
        try JSONParser.parse(withoutPlaceholders.bytes).object ?? JSONObject()
    }
}

extension JSONWriter {
    package mutating func record(_ body: RecordBody) { verbatim(body.bytes) }
}
