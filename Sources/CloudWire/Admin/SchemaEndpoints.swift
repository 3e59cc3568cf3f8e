import CloudHTTP
import CloudModel
import CloudOperations
import CloudStore

/// `/admin/1/{container}/{environment}/schema…`: exports and imports a schema as text (reference A §11.3, §11.4).
enum SchemaEndpoints {
    /// `GET schema`.
    static let export: AdminEndpoint = { call in
        let schema = try await call.administration().schemaText()
        return .text(schema.text).tagged(schema.tag)
    }

    /// `PUT schema`: replaces the development schema by the body.
    static let importText: AdminEndpoint = { call in
        let (text, dryRun) = (try call.text("a schema's text"), try call.isDryRun())
        return respond(
            try await call.administration().importSchema(text, dryRun: dryRun, ifTag: call.wantedTag), call,
            dryRun: dryRun)
    }

    /// `POST schema/deploy`: replaces the production schema by the development schema.
    static let deploy: AdminEndpoint = { call in
        let dryRun = try call.isDryRun()
        return respond(
            try await call.administration().deploySchema(dryRun: dryRun, ifTag: call.wantedTag), call, dryRun: dryRun)
    }

    /// `POST schema/reset`: resets the development environment.
    static let reset: AdminEndpoint = { call in
        let dryRun = try call.isDryRun()
        return respond(
            try await call.administration().resetSchema(dryRun: dryRun, ifTag: call.wantedTag), call, dryRun: dryRun)
    }

    /// `GET schema/builds`.
    static let builds: AdminEndpoint = { call in
        let builds = try await call.administration().builds()
        var writer = JSONWriter()
        builds.write(to: &writer)
        return .json(writer)
    }

    /// Writes the steps as lines of text, or as JSON if requested.
    private static func respond(_ outcome: SchemaOutcome, _ call: AdminCall, dryRun: Bool) -> Response {
        guard call.wantsJSON else { return .text(outcome.steps.map(\.text).joined()).tagged(outcome.tag) }
        var writer = JSONWriter()
        outcome.steps.write(to: &writer, dryRun: dryRun)
        return Response.json(writer).tagged(outcome.tag)
    }
}
