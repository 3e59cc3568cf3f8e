/// A parsed operation of records/modify (reference A §4.1).
package struct RecordOperation: Hashable, Sendable {
    package enum ParentChange: Hashable, Sendable {
        case keep
        case set(String)
        case clear
    }

    package let type: OperationType
    package let recordName: String?
    package let recordType: String?
    package let changeTag: String?
    package let fields: [WireField]
    package let parent: ParentChange
    package let createShortGUID: Bool
    package let presentation: Presentation
    /// The sharing members of the operation; nil unless the record is a share.
    package let share: ShareChange?

    /// Parses an element of `operations`. A malformed operation fails the whole request; a refused record yields `Refused`.
    ///
    /// - Parameter defaults: the request's own `desiredKeys` and `numbersAsStrings`.
    package static func parse(
        _ json: JSONValue, at index: Int, defaults: Presentation, limits: Limits
    ) throws(ServerError) -> Result<RecordOperation, Refused> {
        guard case .object(let object) = json else {
            throw .badRequest("operations[\(index)] must be an object, not \(known: json.kind)")
        }
        guard let typeName = object["operationType"]?.string else {
            throw .badRequest("operations[\(index)].operationType is missing")
        }
        guard let type = OperationType(rawValue: typeName) else {
            throw .badRequest("operations[\(index)].operationType '\(Naming.shown(typeName))' is unknown")
        }
        guard let record = object["record"]?.object else {
            throw .badRequest("operations[\(index)].record is missing")
        }
        let name = record["recordName"]?.string
        if name == nil, let other = record["recordName"] {
            throw .badRequest("operations[\(index)].record.recordName must be a string, not \(known: other.kind)")
        }
        do throws(ServerError) {
            return .success(
                try RecordOperation(
                    type, name: name, record: record,
                    presentation: try defaults.overridden(by: object).overridden(by: record), limits: limits))
        } catch {
            return .failure(Refused(recordName: name, error: error))
        }
    }

    /// The refusal of a single operation; the request's other operations proceed.
    package struct Refused: Error, Hashable {
        package let recordName: String?
        package let error: ServerError

        package init(recordName: String?, error: ServerError) {
            self.recordName = recordName
            self.error = error
        }
    }

    /// Deletes a record regardless of its change tag.
    package static func deletion(of recordName: String) -> RecordOperation { RecordOperation(deleting: recordName) }

    private init(deleting recordName: String) {
        type = .forceDelete
        self.recordName = recordName
        recordType = nil
        changeTag = nil
        fields = []
        parent = .keep
        createShortGUID = false
        presentation = Presentation()
        share = nil
    }

    private init(
        _ type: OperationType, name: String?, record: JSONObject, presentation: Presentation, limits: Limits
    ) throws(ServerError) {
        self.type = type
        self.presentation = presentation
        recordName = name
        recordType = try Self.text("recordType", in: record)
        changeTag = try Self.text("recordChangeTag", in: record)
        createShortGUID = record["createShortGUID"]?.bool ?? false
        if name == nil && type != .create && type != .forceUpdate && type != .forceReplace {
            throw .badRequest("recordName is required for operationType '\(known: type.rawValue)'")
        }
        if let name, let fault = Naming.fault(recordName: name, limit: limits.recordNameCharacters, system: true) {
            throw .badRequest(fault)
        }
        if let recordType, !type.isDelete, recordType != RecordType.users,
            let fault = Naming.fault(recordType: recordType)
        {
            throw .badRequest(fault)
        }
        parent = try Self.parent(in: record, limits: limits)
        share = type.isDelete ? nil : try ShareChange(in: record, recordType: recordType, limits: limits)
        fields = type.isDelete ? [] : try Self.fields(in: record, limits: limits)
    }

    private static func text(_ key: String, in record: JSONObject) throws(ServerError) -> String? {
        guard let value = record[key] else { return nil }
        guard let text = value.string else {
            throw .badRequest("\(known: key) must be a string, not \(known: value.kind)")
        }
        return text
    }

    private static func parent(in record: JSONObject, limits: Limits) throws(ServerError) -> ParentChange {
        guard let value = record["parent"] else { return record.contains("parent") ? .clear : .keep }
        guard let name = value.object?["recordName"]?.string else {
            throw .badRequest("parent must be an object with a recordName")
        }
        if let fault = Naming.fault(recordName: name, limit: limits.recordNameCharacters) {
            throw .badRequest("parent: \(fault)")
        }
        return .set(name)
    }

    private static func fields(in record: JSONObject, limits: Limits) throws(ServerError) -> [WireField] {
        guard let value = record["fields"] else { return [] }
        guard case .object(let object) = value else {
            throw .badRequest("fields must be an object, not \(known: value.kind)")
        }
        guard object.members.count <= limits.fieldsPerRecordType else {
            throw .badRequest(
                "record has \(object.members.count) fields, at most \(limits.fieldsPerRecordType) are allowed")
        }
        var fields: [WireField] = []
        fields.reserveCapacity(object.members.count)
        for member in object.members { fields.append(try WireField(member)) }
        return fields
    }
}

extension [Result<RecordOperation, RecordOperation.Refused>] {
    /// Refuses requests with several operations on a record, since their order is undefined (reference A §4.2).
    package func refuseDuplicates() throws(ServerError) {
        // Names compare by bytes, as in the store.
        var seen: Set<[UInt8]> = []
        for case .success(let operation) in self {
            guard let name = operation.recordName, !seen.insert(Array<UInt8>(name.utf8)).inserted else { continue }
            throw .badRequest("operations name the record '\(Naming.shown(name))' more than once")
        }
    }
}
