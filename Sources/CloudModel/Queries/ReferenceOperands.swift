extension QueryResolver {
    /// A filter on references, which match by name and zone regardless of their action (reference A §5.3).
    func references(
        _ operands: [JSONValue], _ subject: ResolvedQuery.Subject, _ comparator: Comparator
    ) throws(ServerError) -> ResolvedQuery.Filter {
        var keys: [IndexKey] = []
        var homes: [ResolvedQuery.Home] = []
        for operand in operands {
            let reference = try reference(operand, subject)
            if case .system = subject, reference.key.hasNullCharacter {
                throw invalid(subject, "a name must not contain the character U+0000")
            }
            if zoneWide, let zone = reference.zone {
                homes.append(ResolvedQuery.Home(zone: zone, operand: keys.count, key: .text(reference.recordName)))
            }
            keys.append(.text(reference.key))
        }
        return ResolvedQuery.Filter(subject: subject, comparator: comparator, keys: keys, homes: homes)
    }

    /// Also accepts a bare record or user name (reference A §5.4).
    private func reference(
        _ operand: JSONValue, _ subject: ResolvedQuery.Subject
    ) throws(ServerError) -> RecordReference {
        if let name = operand.string { return RecordReference(recordName: name, action: .none, zone: nil) }
        guard let object = operand.object, let name = object["recordName"]?.string else {
            throw invalid(subject, "a reference needs a recordName")
        }
        if case .field = subject,
            let fault = Naming.fault(recordName: name, limit: Limits().recordNameCharacters, system: true)
        {
            throw invalid(subject, fault)
        }
        return RecordReference(recordName: name, action: .none, zone: try zone(of: object, subject))
    }

    /// The target's zone; nil to use the record's own zone.
    private func zone(of object: JSONObject, _ subject: ResolvedQuery.Subject) throws(ServerError) -> ZoneID? {
        switch subject {
        // User records have no zone in the queried database.
        case .system(.createdUserRecordName), .system(.modifiedUserRecordName): return nil
        default: break
        }
        guard let json = object["zoneID"] else { return nil }
        let zone = try decoder.zone(json, subject.name)
        return zone == decoder.zone && !zoneWide ? nil : zone
    }

    private func invalid(_ subject: ResolvedQuery.Subject, _ detail: Reason) -> ServerError {
        .badRequest("Invalid value, expected type REFERENCE. Field '\(known: subject.name)': \(detail)")
    }
}
