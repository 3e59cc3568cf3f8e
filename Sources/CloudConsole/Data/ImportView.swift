import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// `/console/import`: imports pasted JSON lines or CSV.
enum ImportView {
    static let show: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.query)
        return try await page(call, spot, type: spot.type ?? "", rows: "")
    }

    static let load: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.form)
        let (type, rows) = (try call.form.text("type"), FormFields.lines(call.form["rows"] ?? ""))
        do {
            let definition = try await call.schema(of: spot.place).types[type]
            let operations = try RecordLines.operations(rows, type: type, definition)
            return try await ModifiedSheet(spot: spot, type: type).answer(call, operations)
        } catch let error as ServerError where error.code == .badRequest {
            return try await page(call, spot, type: type, rows: rows, problem: error.reason)
        }
    }

    private static func page(
        _ call: ConsoleCall, _ spot: DataSpot, type: String, rows: String, problem: String? = nil
    ) async throws -> Response {
        let content = Content(
            database: try await spot.description(call), back: spot.address(type: type.isEmpty ? nil : type),
            problem: problem,
            hidden: spot.hidden, type: type, rows: rows,
            most: "\(call.operations.workplace.limits.operationsPerRequest)")
        return try call.render(
            content, title: "Import", view: .data, place: spot.place, status: problem == nil ? .ok : .badRequest)
    }

    struct Content: ConsoleContent {
        static let template = "console-import"

        let database: String
        let back: String
        let problem: String?
        let hidden: [FilledField]
        let type: String
        let rows: String
        /// The most records of one import.
        let most: String

        init(
            database: String, back: String, problem: String?, hidden: [FilledField], type: String, rows: String,
            most: String
        ) {
            self.database = database
            self.back = back
            self.problem = problem
            self.hidden = hidden
            self.type = type
            self.rows = rows
            self.most = most
        }
    }
}
