import CloudModel
import Testing

/// The form of a record's page, with what a browser would send of it.
package struct RecordForm: Sendable {
    /// A type that has a field of every kind.
    package static let schema = """
        RECORD TYPE Note (
            title STRING QUERYABLE, stars INT64, ratio DOUBLE, happened TIMESTAMP, place LOCATION, sketch BYTES,
            of REFERENCE, tags LIST<STRING>, ranks LIST<INT64>, times LIST<TIMESTAMP>, places LIST<LOCATION>,
            blobs LIST<BYTES>, refs LIST<REFERENCE>, file ASSET, secret ENCRYPTED STRING,
            GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator"
        );
        """
    package static let place = "container=iCloud.com.example.test&environment=development"

    package let fields: [String: String]

    package init(_ page: Answer) {
        var fields: [String: String] = [:]
        let form = page.text.split(separator: "<form method=\"post\" action=\"/console/record\">").dropFirst().first
        let html = String(form?.split(separator: "</form>", maxSplits: 1).first ?? "")
        for match in html.matches(of: #/<input ([^>]*)>/#) {
            let attributes = Self.attributes(String(match.output.1))
            guard let name = attributes["name"], attributes["type"] != "checkbox" || attributes["checked"] != nil else {
                continue
            }
            fields[name] = attributes["value"] ?? ""
        }
        for match in html.matches(of: #/<textarea ([^>]*)>\n([^<]*)<\/textarea>/#) {
            let name = Self.attributes(String(match.output.1))["name"] ?? ""
            fields[name] = App.unescaped(String(match.output.2)).replacing("\n", with: "\r\n")
        }
        for match in html.matches(of: #/<select ([^>]*)>(.*?)<\/select>/#) {
            let name = Self.attributes(String(match.output.1))["name"] ?? ""
            let chosen = match.output.2.firstMatch(of: #/value="([^"]*)" selected/#)
            fields[name] = chosen.map { App.unescaped(String($0.output.1)) } ?? ""
        }
        self.fields = fields
    }

    private static func attributes(_ text: String) -> [String: String] {
        var attributes: [String: String] = [:]
        for match in text.matches(of: #/([\w-]+)(?:="([^"]*)")?/#) {
            attributes[String(match.output.1)] = App.unescaped(String(match.output.2 ?? ""))
        }
        return attributes
    }
}

extension WebVisitor {
    /// Sends the form of a page with what was typed into it.
    package func send(_ form: RecordForm, _ typed: [String: String], to path: String = "/console/record") async throws
        -> Answer
    {
        // The page has the form that deletes too.
        try await submit(path, form.fields.merging(typed) { $1 }.merging(["do": "save"]) { $1 })
    }
}
