import CloudModel

/// Prepares an operation before the writer's turn: checks its fields against the schema.
///
/// Requests prepare in parallel, which saves the single writer's time. The writer repeats a preparation made with an older
/// schema.
enum Preparation: Sendable {
    /// Fields with their values; nil clears a field.
    case ready([(definition: FieldDefinition, value: FieldValue?)], content: RecordContent?)
    /// The schema lacks these fields of the type, or the type itself.
    case needsSchema([(name: String, type: FieldType)])
    case refused(ServerError)
    /// The operation has no record type.
    case unknownType

    init(_ operation: RecordOperation, type name: String?, catalog: Catalog, zone: ZoneID, limits: Limits) {
        guard let name else {
            self = .unknownType
            return
        }
        do throws(ServerError) {
            self = try Self.prepare(operation, type: name, catalog: catalog, zone: zone, limits: limits)
        } catch {
            self = .refused(error)
        }
    }

    private static func prepare(
        _ operation: RecordOperation, type name: String, catalog: Catalog, zone: ZoneID, limits: Limits
    ) throws(ServerError) -> Preparation {
        // Take these values once: each access would copy the record type.
        let (isNew, known, untyped) = Self.declared(catalog.types[name], operation)
        let decoder = FieldDecoder(recordType: name, zone: zone)
        var fields: [(definition: FieldDefinition, value: FieldValue?)] = []
        fields.reserveCapacity(operation.fields.count)
        var missing: [(name: String, type: FieldType)] = []
        for field in operation.fields {
            if name != RecordType.share, Naming.isShareField(field.name) {
                throw .badRequest(
                    "field '\(known: field.name)' is for records of type '\(known: RecordType.share)' only")
            }
            let declared = known[field.name]
            guard let value = field.value else {
                // Clearing an undeclared field changes nothing.
                if let declared { fields.append((declared, nil)) }
                continue
            }
            if declared == nil, field.isUntypedList { continue }
            let typed = try decoder.decode(field, value: value, declared: declared?.type)
            if typed.type.isEncrypted && zone.owner == ZoneID.publicOwner {
                throw .badRequest(
                    "encrypted fields are not supported in the public database: field '\(known: field.name)'",
                    .place(.database))
            }
            if let declared { fields.append((declared, typed.value)) } else { missing.append((field.name, typed.type)) }
        }
        if isNew || !missing.isEmpty || !untyped.isEmpty {
            let count = known.count + missing.count + untyped.count
            guard count <= limits.fieldsPerRecordType else {
                throw .badRequest(
                    "record type '\(name)' would have \(count) fields, at most \(limits.fieldsPerRecordType) are allowed",
                    .limit(limits.fieldsPerRecordType, "limit.fieldsPerRecordType"))
            }
        }
        if isNew || !missing.isEmpty { return .needsSchema(missing) }
        return .ready(fields, content: try content(operation, fields, untyped, zone, limits))
    }

    private static func declared(
        _ type: RecordType?, _ operation: RecordOperation
    ) -> (isNew: Bool, fields: [String: FieldDefinition], untyped: [String]) {
        let untyped = operation.untypedLists(type)
        guard let type else { return (true, [:], untyped) }
        return (false, type.fields, untyped)
    }

    /// Encodes the content of operations that do not depend on the stored record; nil for the others.
    private static func content(
        _ operation: RecordOperation, _ fields: [(definition: FieldDefinition, value: FieldValue?)],
        _ untyped: [String], _ zone: ZoneID, _ limits: Limits
    ) throws(ServerError) -> RecordContent? {
        guard operation.type == .create || operation.type.clearsUnnamedFields else { return nil }
        return try RecordContent(named: fields, untyped: untyped, zone: zone).within(limits)
    }
}

extension RecordContent {
    /// Returns the content, unless it exceeds the size limit of a record (reference A §10).
    func within(_ limits: Limits) throws(ServerError) -> RecordContent {
        guard json.count <= limits.recordBytes else {
            throw .badRequest(
                "record has \(json.count) bytes of fields, at most \(limits.recordBytes) are allowed",
                .limit(limits.recordBytes, "limit.recordBytes"))
        }
        return self
    }
}
