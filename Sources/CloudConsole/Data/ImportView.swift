import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// `/console/import`: imports pasted JSON lines or CSV.
enum ImportView {
    private static let path = "/console/import"

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
        let form = ConsoleForm(
            title: "Import records", path: path, button: "Import", hidden: spot.hidden,
            fields: [
                FormField("type", "Record type", .code, value: type, isRequired: true).with {
                    $0.limit = Naming.longestName
                }
            ],
            wide: [
                FormField("rows", "Records as JSON lines or CSV", .area(rows: 12), value: rows, isRequired: true).with {
                    $0.spoken = $0.label
                    $0.described = problem == nil ? "help" : "help problem"
                    $0.isWrong = problem != nil
                }
            ])
        let content = Content(
            database: try await spot.description(call), back: spot.address(type: type.isEmpty ? nil : type),
            problem: problem, load: ConsoleFormView(form),
            most: "\(call.operations.workplace.limits.operationsPerRequest)")
        return try call.render(
            content, title: "Import", view: .data, place: spot.place, status: problem == nil ? .ok : .badRequest)
    }

    struct Content: ConsoleContent {
        static let template = "console-import"

        let database: String
        let back: String
        let problem: String?
        let load: ConsoleFormView
        /// The most records of one import.
        let most: String

        init(database: String, back: String, problem: String?, load: ConsoleFormView, most: String) {
            self.database = database
            self.back = back
            self.problem = problem
            self.load = load
            self.most = most
        }
    }
}
