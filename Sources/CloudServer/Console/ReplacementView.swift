import CloudModel
import CloudOperations
import Hummingbird

/// `/console/file`: uploads a file for a field of a record. Its bytes go to a signed link, as those of apps do, and the
/// record's page is opened with the receipt in the field's editor.
enum ReplacementView {
    static let show: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.query)
        let (name, field) = (try call.query.text("name"), try call.query.text("field"))
        let link = try await call.operations.run(
            RecordOperations.upload, spot.place.arguments(["user": spot.user, "zone": spot.zone])
        ).url
        // Within this server, by whatever name the browser knows it.
        guard let path = link.firstRange(of: AssetUpload.route + "/").map({ link[$0.lowerBound...] }) else {
            throw ServerError(.internalError, "the link to upload to has no path", .server(.fault))
        }
        return try call.render(
            "console-file", "Replace \(field)", view: .data, place: spot.place,
            [
                "name": name, "field": field, "database": spot.description, "back": spot.record(name),
                "address": UploadPage.link(String(path), to: spot.record(name), field: field),
                "most": ByteCount.text(Int64(call.operations.workplace.limits.assetBytes)),
            ])
    }
}

/// The page of a record that an upload by a form leads to, with the receipt in a field.
enum UploadPage {
    private static let record = "/console/record?"
    private static let parameter = "to"

    /// A link to upload to that leads to a record's page.
    static func link(_ upload: String, to record: String, field: String) -> String {
        let page = "\(record)&f.\(PercentEncoding.encode(field))="
        return ConsoleAddress.make(upload, [(parameter, page)])
    }

    /// The address that the receipt is put behind; nil for an upload that no page asked for.
    static func address(_ request: Request) -> String? {
        let page = FormFields(request.query.utf8).filled(parameter)
        return page.flatMap { $0.hasPrefix(record) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }
}
