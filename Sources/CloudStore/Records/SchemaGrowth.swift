import CloudModel
import CloudSQL

/// Just-in-time schema changes by writes, and their refusals (reference A §11.1).
struct SchemaGrowth {
    let environment: ContainerEnvironment
    let isAllowed: Bool
    let limits: Limits

    func grow(type name: String, by missing: [(name: String, type: FieldType)], _ transaction: WriteTransaction) throws
    {
        guard isAllowed else { throw refusal(type: name, missing.first?.name, transaction.catalog) }
        var catalog = transaction.catalog
        if catalog.types[name] == nil {
            guard catalog.types.count < limits.recordTypes else {
                throw ServerError.badRequest(
                    "there are \(catalog.types.count) record types, at most \(limits.recordTypes) are allowed",
                    .limit(limits.recordTypes, "limit.recordTypes"))
            }
            catalog = try SchemaTables.createType(
                name, grants: .standard, fields: missing, in: catalog, transaction.db)
        } else {
            for field in missing {
                guard let type = catalog.types[name] else { break }
                catalog = try SchemaTables.createField(field.name, field.type, of: type, in: catalog, transaction.db)
            }
        }
        transaction.schema.adopt(catalog)
        transaction.trace?.note(.schemaGrew(type: name))
    }

    /// Error texts of Apple's service (reference A §9.4).
    private func refusal(type name: String, _ field: String?, _ catalog: Catalog) -> ServerError {
        let type = Naming.shown(name)
        let isKnown = catalog.types[name] != nil
        switch (environment, field) {
        case (.production, let field?) where isKnown:
            return .badRequest(
                "Cannot create or modify field '\(known: field)' in record '\(type)' in production schema",
                .schema(.closed(environment)))
        case (.production, _):
            return .badRequest("Cannot create new type \(type) in production schema", .schema(.closed(environment)))
        case (.development, let field?) where isKnown:
            return .badRequest("Field \(known: field) not found in \(type)", .schema(.unknownField(type: name)))
        case (.development, _):
            return ServerError(.notFound, "Did not find record type: \(type)", .schema(.unknownType))
        }
    }
}
