import CloudPages
import CloudHTTP
import CloudWire
import CloudModel
import CloudOperations

/// `/console/file`: uploads a file for a field of a record. Like an app, the page uploads to a signed link and passes
/// the receipt to the field's editor. Only a POST creates the link.
enum ReplacementView {
    static let show: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.form)
        let (name, field) = (try call.form.text("name"), try call.form.text("field"))
        let link = try await call.operations.run(
            RecordOperations.upload, spot.place.arguments(["user": spot.user, "zone": spot.zone])
        ).url
        // The path alone, because the browser may know the server by another name.
        guard let path = link.firstRange(of: UploadRoute.name + "/").map({ link[$0.lowerBound...] }) else {
            throw ServerError(.internalError, "the link to upload to has no path", .server(.fault))
        }
        let content = Content(
            field: field, name: name, database: try await spot.description(call),
            address: UploadPage.link(String(path), to: spot.record(name), field: field),
            most: ByteCount.text(Int64(call.operations.workplace.limits.assets.bytes)), back: spot.record(name))
        return try call.render(content, title: "Replace \(field)", view: .data, place: spot.place)
    }

    struct Content: ConsoleContent {
        static let template = "console-file"

        let field: String
        let name: String
        let database: String
        /// The signed upload link.
        let address: String
        /// The largest permitted file size.
        let most: String
        let back: String

        init(field: String, name: String, database: String, address: String, most: String, back: String) {
            self.field = field
            self.name = name
            self.database = database
            self.address = address
            self.most = most
            self.back = back
        }
    }
}
