/// Decodes a request's values for the schema's types (reference A §3.3).
package struct FieldDecoder: Sendable {
    /// The type's name for error messages.
    let recordType: String
    /// The default zone for references without a zone.
    let zone: ZoneID

    package init(recordType: String, zone: ZoneID) {
        self.recordType = recordType
        self.zone = zone
    }

    /// A value with its type: declared, or the type that an undeclared field will get.
    package struct Typed: Hashable, Sendable {
        package let type: FieldType
        package let value: FieldValue
    }

    /// - Parameter declared: the field's type in the schema; nil for an undeclared field.
    package func decode(
        _ field: WireField, value: JSONValue, declared: FieldType?
    ) throws(ServerError) -> Typed {
        let type = try type(of: field, value: value, declared: declared)
        // A value tagged INT64 stays INT64 in a NUMBER field.
        let isWhole = type.kind == .number && field.tag == .type(FieldType(.int64, isList: type.isList))
        let valueType = isWhole ? FieldType(.int64, isList: type.isList) : type
        if type.isList {
            guard case .array(let elements) = value else { throw invalid(field.name, type) }
            var scalars: [Scalar] = []
            scalars.reserveCapacity(elements.count)
            for element in elements { scalars.append(try scalar(element, field.name, valueType)) }
            return Typed(type: type, value: .list(scalars))
        }
        return Typed(type: type, value: .one(try scalar(value, field.name, valueType)))
    }

    // MARK: Type

    private func type(
        of field: WireField, value: JSONValue, declared: FieldType?
    ) throws(ServerError) -> FieldType {
        let given = try given(field, value, declared)
        guard let declared else {
            guard let type = given ?? inferred(value) else {
                throw .badRequest(
                    "cannot tell the type of field '\(known: field.name)' from \(known: value.kind); send a type with it"
                )
            }
            return field.isEncrypted || type.isEncrypted ? try encrypted(type, field, value) : type
        }
        if (field.isEncrypted || given?.isEncrypted == true) && !declared.isEncrypted {
            throw .badRequest(
                "Attempt to save encrypted data in non encrypted field type: field '\(known: field.name)'",
                .schema(.type(field: field.name)))
        }
        if declared.isEncrypted && !field.isEncrypted && given?.isEncrypted != true && declared.kind != .bytes {
            throw contradiction("ENCRYPTED_BYTES", field.name, declared)
        }
        if let given, !accepts(declared, given) { throw contradiction(given.name, field.name, declared) }
        return declared
    }

    /// The encrypted type for a new field; some kinds cannot be encrypted (reference A §11.3).
    private func encrypted(
        _ type: FieldType, _ field: WireField, _ value: JSONValue
    ) throws(ServerError) -> FieldType {
        switch type.kind {
        case .reference, .asset:
            throw .badRequest(
                "field '\(known: field.name)' cannot be encrypted: it is of type \(known: type.kind.wireName)")
        case .number:
            return FieldType(value.integer == nil ? .double : .int64, isList: type.isList, isEncrypted: true)
        default: return FieldType(type.kind, isList: type.isList, isEncrypted: true)
        }
    }

    /// The type in the request's tag. If the tag leaves the element type open, the schema decides, or else the value.
    private func given(
        _ field: WireField, _ value: JSONValue, _ declared: FieldType?
    ) throws(ServerError) -> FieldType? {
        switch field.tag {
        case nil: return nil
        case .type(let type):
            return field.isEncrypted ? FieldType(type.kind, isList: type.isList, isEncrypted: true) : type
        case .someList:
            guard case .array(let elements) = value else {
                throw .badRequest(
                    "Invalid value, expected type LIST. Field '\(known: field.name)' has \(known: value.kind)")
            }
            if declared?.isList == true { return nil }
            return elements.first.flatMap(inferred).map { FieldType($0.kind, isList: true) }
        }
    }

    private func accepts(_ declared: FieldType, _ given: FieldType) -> Bool {
        guard declared.isList == given.isList else { return false }
        if declared.kind == given.kind { return true }
        return declared.kind == .number && (given.kind == .int64 || given.kind == .double)
    }

    /// The type for an untagged value of an undeclared field. Never BYTES: base64 is indistinguishable from text.
    private func inferred(_ value: JSONValue) -> FieldType? {
        switch value {
        case .string: FieldType(.string)
        case .integer, .number: FieldType(.number)
        case .bool: FieldType(.int64)
        case .array(let elements): elements.first.flatMap(inferred).map { FieldType($0.kind, isList: true) }
        case .object(let object):
            if object.contains("latitude") {
                FieldType(.location)
            } else if object.contains("recordName") {
                FieldType(.reference)
            } else if ["fileChecksum", "receipt", "serverErrorCode"].contains(where: object.contains) {
                FieldType(.asset)
            } else {
                nil
            }
        case .null: nil
        }
    }

    // MARK: Value

    /// Decodes a value as `type`; coerces untagged values and numeric strings if lossless.
    package func scalar(
        _ value: JSONValue, _ field: String, _ type: FieldType
    ) throws(ServerError) -> Scalar {
        switch (type.kind, value) {
        case (.string, .string(let text)): return .string(text)
        case (.bytes, .string(let text)):
            guard let canonical = Base64.canonical(text) else { throw invalid(field, type) }
            return .bytes(canonical)
        case (.int64, _):
            if case .bool(let bool) = value { return .int64(bool ? 1 : 0) }
            guard let integer = wholeNumber(value) else { throw invalid(field, type) }
            return .int64(integer)
        case (.timestamp, _):
            guard let integer = wholeNumber(value) else { throw invalid(field, type) }
            return .timestamp(Timestamp(milliseconds: integer))
        case (.double, _):
            guard let number = Self.number(value) else { throw invalid(field, type) }
            return .double(number)
        case (.number, _):
            if case .integer(let integer) = value { return .int64(integer) }
            if case .string = value, let integer = wholeNumber(value) { return .int64(integer) }
            guard let number = Self.number(value) else { throw invalid(field, type) }
            return .double(number)
        case (.location, .object(let object)): return .location(try location(object, field, type))
        case (.reference, .object(let object)): return .reference(try reference(object, field, type))
        case (.asset, .object(let object)): return .asset(try asset(object, field))
        default: throw invalid(field, type)
        }
    }

    private func wholeNumber(_ value: JSONValue) -> Int64? {
        switch value {
        case .integer(let integer): integer
        case .number(let number): Int64(unrounded: number)
        case .string(let text): Int64(text)
        default: nil
        }
    }

    /// Parses a finite number, also from text.
    package static func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let integer): Double(exactly: integer)
        case .number(let number): number
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    private func location(
        _ object: JSONObject, _ field: String, _ type: FieldType
    ) throws(ServerError) -> Location {
        guard let latitude = object["latitude"].flatMap(Self.number), abs(latitude) <= 90,
            let longitude = object["longitude"].flatMap(Self.number), abs(longitude) <= 180
        else { throw invalid(field, type, "latitude must be within ±90 and longitude within ±180 degrees") }
        var details: [JSONObject.Member] = []
        for name in Location.detailNames {
            guard let value = object[name] else { continue }
            guard let number = Self.number(value) else { throw invalid(field, type, "\(name) must be a number") }
            // Kept as sent, except that digits in a string become a number.
            details.append(JSONObject.Member(key: name, value: value.string == nil ? value : .number(number)))
        }
        var timestamp: Timestamp?
        if let value = object["timestamp"] {
            timestamp = wholeNumber(value).map(Timestamp.init(milliseconds:))
            if timestamp == nil { throw invalid(field, type, "timestamp must be whole milliseconds") }
        }
        return Location(latitude: latitude, longitude: longitude, details: details, timestamp: timestamp)
    }

    private func reference(
        _ object: JSONObject, _ field: String, _ type: FieldType
    ) throws(ServerError) -> RecordReference {
        guard let name = object["recordName"]?.string else {
            throw invalid(field, type, "a reference needs a recordName")
        }
        if let fault = Naming.fault(recordName: name, limit: Limits().recordNameCharacters, system: true) {
            throw invalid(field, type, fault)
        }
        var action = RecordReference.Action.none
        if let given = object["action"] {
            guard let known = given.string.flatMap(RecordReference.Action.init) else {
                throw invalid(field, type, "action must be NONE, DELETE_SELF or VALIDATE")
            }
            action = known
        }
        let target = try object["zoneID"].map { json throws(ServerError) in try elsewhere(json, field) } ?? nil
        if target != nil && action != .none {
            throw invalid(field, type, "a \(action.rawValue) reference must stay within its zone")
        }
        return RecordReference(recordName: name, action: action, zone: target)
    }

    /// Parses an asset with its receipt, which the store verifies later (reference B §8.3).
    private func asset(_ object: JSONObject, _ field: String) throws(ServerError) -> Asset {
        // Some clients save an upload's error answer as the value.
        if object["serverErrorCode"] != nil, let reason = object["reason"]?.string {
            throw .badRequest(
                "field '\(known: field)' has no valid asset receipt: its upload was refused, \(Naming.shown(reason))")
        }
        guard let key = object["fileChecksum"]?.string.flatMap(AssetKey.init),
            let size = object["size"].flatMap(wholeNumber)
        else {
            throw .badRequest(
                "field '\(known: field)' has no valid asset receipt: upload the file first, and send what the upload answered, "
                    + "with fileChecksum, size and receipt")
        }
        return Asset(key: key, size: size, receipt: object["receipt"]?.string)
    }

    /// The zone of a reference, if different from the record's zone.
    private func elsewhere(_ json: JSONValue, _ field: String) throws(ServerError) -> ZoneID? {
        let target = try zone(json, field)
        return target == zone ? nil : target
    }

    /// The zone named by a reference.
    func zone(_ json: JSONValue, _ field: String) throws(ServerError) -> ZoneID {
        let name = try ZoneName(json, key: "\(field).zoneID")
        // The public database has a single zone, regardless of the owner that a client names.
        if zone.owner == ZoneID.publicOwner && name.name == ZoneID.defaultName { return zone }
        return ZoneID(name: name.name, owner: name.owner ?? zone.owner)
    }

    // MARK: Refusals

    private func invalid(_ field: String, _ type: FieldType, _ detail: Reason? = nil) -> ServerError {
        .badRequest(
            "Invalid value, expected type \(known: type.name). Field '\(known: field)'"
                + (detail.map { ": \($0)" } ?? ""), .schema(.type(field: field)))
    }

    private func contradiction(
        _ given: String, _ field: String, _ declared: FieldType
    ) -> ServerError {
        .badRequest(
            "invalid attempt to set value type \(known: given) for field '\(known: field)' for type '\(known: recordType)', "
                + "defined to be: \(known: declared.name)", .schema(.type(field: field)))
    }
}
