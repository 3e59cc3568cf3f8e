import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

extension DataView {
    struct Content: ConsoleContent {
        static let template = "console-data"

        let heading: String
        let database: String
        let notice: String?
        let tree: [DataTree.Group]
        /// The sentence shown instead of an empty table.
        let empty: String
        /// Links to download the table.
        var save: [PageLink] = []
        /// The addresses for importing and creating records; nil where records cannot be created.
        var load: String?
        var make: String?
        /// The address of the form for a new type; nil in the shared database.
        var newType: String?
        /// The address of the code samples; nil for a type without schema.
        var api: String?
        /// The query builder; nil if no type is selected.
        var query: QueryPanel.View?
        var problem: String?
        var sheet: SheetView?

        init(
            heading: String, database: String, notice: String?, tree: [DataTree.Group], empty: String,
            save: [PageLink] = [], load: String? = nil, make: String? = nil, newType: String? = nil, api: String? = nil,
            query: QueryPanel.View? = nil, problem: String? = nil, sheet: SheetView? = nil
        ) {
            self.heading = heading
            self.database = database
            self.notice = notice
            self.tree = tree
            self.empty = empty
            self.save = save
            self.load = load
            self.make = make
            self.newType = newType
            self.api = api
            self.query = query
            self.problem = problem
            self.sheet = sheet
        }
    }
}

extension DataView.Content {
    /// Adds the query builder, and either the table of results or the problem with the query.
    mutating func add(
        _ call: ConsoleCall, _ spot: DataSpot, _ type: String, _ definition: TypeDefinition?
    ) async throws {
        if !spot.isShared, definition != nil {
            make = spot.address("/console/record", type: type)
            api = APIView.address(spot, type: type)
        }
        save = [("csv", "CSV"), ("jsonl", "JSON lines")].map { form, label in
            PageLink(
                label: label,
                address: spot.address("/console/export", type: type, query: spot.query, [("form", form)]))
        }
        let panel = QueryPanel(
            spot: spot, type: type, definition: definition, limits: call.operations.workplace.limits)
        var example: QueryExample?
        do {
            example = QueryExample(
                origin: call.page.site.origin.text(authority: call.page.request.head.authority), spot: spot,
                query: try spot.query.json(type: type, definition), limit: RecordSheet.perPage)
            let found = try await RecordSheet(spot: spot, type: type, definition: definition).sheet(call)
            (query, sheet) = (panel.view(example, plan: found.plan), SheetView(found.sheet, now: call.now))
        } catch let error as ServerError where [.badRequest, .notFound].contains(error.code) {
            (query, problem) = (panel.view(example, plan: nil), error.reason)
        }
    }
}
