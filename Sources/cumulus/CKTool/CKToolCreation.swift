import ArgumentParser
import CloudModel

/// `create-record`.
struct CKToolCreateRecord: AsyncParsableCommand {
    static let configuration = CKTool.configuration(
        "create-record", "Create a record, and print it.",
        """
        Fields are {"title": {"type": "stringType", "value": "Milk"}}. An assetType has a key for its value, and an \
        assetListType an array of them; --asset-files names the file of each key: LOGO=logo.png.
        """)
    @OptionGroup var database: CKToolDatabase
    @Option(help: "The record type.") var recordType: String
    @Option(help: "A file with the fields, as JSON.") var fieldsFile: String?
    @Option(help: "The fields, as JSON.") var fieldsJson: String?
    @Flag(help: "Read the fields from standard input.") var fieldsStdin = false
    @Option(parsing: .upToNextOption, help: "Files of assets, each as KEY=path.") var assetFiles: [String] = []
    @OptionGroup var access: AccessOptions

    func validate() throws {
        guard [fieldsFile != nil, fieldsJson != nil, fieldsStdin].count(where: \.self) <= 1 else {
            throw ValidationError("name one of --fields-file, --fields-json and --fields-stdin")
        }
    }

    func run() async throws {
        do {
            guard let fields = try JSONValue(typed: try text()).object else {
                throw Complaint("fields must be a JSON object")
            }
            let files = try CKToolAssets(assetFiles, for: fields)
            let records = try await database.place.records(access)
            let saved = try WrittenValue.fields(try await files.uploaded(type: recordType, by: records))
            let outcomes = try await records.modify([
                .operation("create", ["recordType": .string(recordType), "fields": .object(saved)])
            ])
            try outcomes.requireSuccess()
            print(outcomes.map(\.text).joined(separator: "\n"))
        } catch {
            throw Complaint(error)
        }
    }

    private func text() throws -> String {
        if fieldsStdin { return try TextFile.read("-") }
        return try fieldsFile.map(TextFile.read) ?? fieldsJson ?? "{}"
    }
}

/// A record's fields, with file paths in place of asset keys.
struct CKToolAssets {
    private let fields: JSONObject
    private let files: [String: UploadedFile]

    /// - Parameter files: each as `KEY=path`.
    /// - Throws: ``Complaint`` about an unmatched key or file, before any request.
    init(_ files: [String], for fields: JSONObject) throws {
        self.fields = fields
        var found: [String: UploadedFile] = [:]
        for file in files {
            let parts = file.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw Complaint("a file of an asset is KEY=path, such as LOGO=logo.png, not '\(file)'")
            }
            guard found.updateValue(try UploadedFile(String(parts[1])), forKey: String(parts[0])) == nil else {
                throw Complaint("--asset-files names '\(parts[0])' twice")
            }
        }
        self.files = found
        let keys = try Set(fields.members.flatMap { try Self.keys($0) ?? [] })
        if let key = keys.subtracting(found.keys).min() { throw Complaint("--asset-files has no file for '\(key)'") }
        if let key = Set(found.keys).subtracting(keys).min() {
            throw Complaint("no field has the asset '\(key)', which --asset-files names")
        }
    }

    /// The asset keys in a field; nil for fields of other types.
    private static func keys(_ field: JSONObject.Member) throws -> [String]? {
        let (type, value) = (field.value.object?["type"]?.string, field.value.object?["value"])
        guard type == "assetType" || type == "assetListType" else { return nil }
        let elements = type == "assetType" ? [value ?? .null] : value?.array ?? [.null]
        return try elements.map { element in
            guard let key = element.string else {
                throw Complaint(
                    "field '\(field.key)' of type \(type ?? "") must have "
                        + (type == "assetType" ? "a key of --asset-files" : "an array of keys of --asset-files"))
            }
            return key
        }
    }

    /// Uploads the files and returns the fields with receipts. A repeated key uploads its file each time.
    func uploaded(type: String, by records: any RecordAccess) async throws -> JSONObject {
        var members: [JSONObject.Member] = []
        for field in fields.members {
            guard let keys = try Self.keys(field) else {
                members.append(field)
                continue
            }
            var values: [JSONValue] = []
            for key in keys {
                guard let file = files[key] else { continue }
                values.append(try await records.upload(file, type: type, field: field.key))
            }
            let isList = field.value.object?["type"]?.string == "assetListType"
            let value = isList ? JSONValue.array(values) : values.first ?? .null
            let wire = JSONValue.members(["value": value, "type": .string(isList ? "ASSETID_LIST" : "ASSETID")])
            members.append(.init(key: field.key, value: wire))
        }
        return JSONObject(members)
    }
}
