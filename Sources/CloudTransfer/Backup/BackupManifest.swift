package import CloudModel
import CloudCrypto
import Foundation

/// The description of a backup: its databases, file checksums, and a checksum of the manifest.
package struct BackupManifest: Hashable, Sendable {
    /// The manifest format that this program version writes, and the newest it reads.
    static let format: Int64 = 1
    static let largest: Int64 = 64 << 20

    /// A file of a backup.
    package struct File: Hashable, Sendable {
        let name: String
        package let size: Int64
        /// SHA-256 in hex.
        let sha256: String
    }

    /// A database copy and its asset list.
    package struct Database: Hashable, Sendable {
        /// The environment; nil for the accounts.
        package struct Place: Hashable, Sendable {
            package let container: String
            package let containerID: Int64
            package let environment: ContainerEnvironment

            package var text: String { "\(environment.rawValue) of \(container)" }
        }

        /// The file name of a database copy.
        static func file(of place: Place?) -> String {
            place.map { "\($0.containerID)-\($0.environment.rawValue).sqlite" } ?? BackupNames.accounts
        }

        package let place: Place?
        let file: File
        /// Row counts of its tables.
        let counts: [BackupCount]
        let assets: AssetList?
    }

    struct AssetList: Hashable, Sendable {
        let file: File
        let count: Int64
        let bytes: Int64
        /// Assets whose contents were lost or damaged before the backup; `missingKeys` holds the first of them.
        let missing: Int64
        let missingKeys: [String]
    }

    package let name: String
    /// The version of the program that made the backup.
    package let program: String
    /// The data folder's identity, independent of the machine.
    let server: String
    package let began: Timestamp
    package let ended: Timestamp
    let schema: BackupSchema
    package let databases: [Database]
    /// Bytes of assets that the archive lacked before.
    package let newAssetBytes: Int64

    package var environments: [Database] { databases.filter { $0.place != nil } }
    package var databaseBytes: Int64 { databases.reduce(0) { $0 + $1.file.size } }
    package var assets: Int64 { databases.reduce(0) { $0 + ($1.assets?.count ?? 0) } }
    package var assetBytes: Int64 { databases.reduce(0) { $0 + ($1.assets?.bytes ?? 0) } }
    package var missingAssets: Int64 { databases.reduce(0) { $0 + ($1.assets?.missing ?? 0) } }
    package var records: Int64 {
        databases.reduce(0) { sum, database in
            sum + (database.counts.first { $0.name == TransferList.records.rawValue }?.rows ?? 0)
        }
    }

    /// Each file with its size and checksum.
    var files: [File] { databases.flatMap { [$0.file] + ($0.assets.map { [$0.file] } ?? []) } }

    // MARK: As text

    /// The manifest ends with a checksum of the preceding text.
    private static let seal = #","checksum":""#

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.object {
            $0.member("format", Self.format)
            $0.member("name", name)
            $0.member("program", program)
            $0.member("server", server)
            $0.member("began", began.milliseconds)
            $0.member("ended", ended.milliseconds)
            $0.member("accountsSchema", schema.accounts)
            $0.member("recordsSchema", schema.records)
            $0.member("newAssetBytes", newAssetBytes)
            $0.key("databases")
            $0.array { array in for database in databases { database.write(to: &array) } }
        }
        let body = writer.bytes.dropLast()
        return body + Self.end(of: Array(body))
    }

    /// The seal for the preceding text.
    private static func end(of body: [UInt8]) -> [UInt8] {
        Array("\(seal)\(SHA256.hash(data: body).hex)\"}\n".utf8)
    }

    /// Parses a manifest.
    ///
    /// - Throws: ``TransferFault`` about the file `place` when the manifest is damaged or of a newer format.
    init(_ bytes: [UInt8], place: String) throws {
        let body = Array(bytes.dropLast(min(Self.end(of: []).count, bytes.count)))
        let object = (try? JSONParser.parse(bytes))?.object
        if let format = object?["format"]?.integer, format > Self.format {
            throw TransferFault(
                "\(place) has format \(format), and this version of cumulus reads up to \(Self.format); use the version "
                    + "that made the backup, or a newer one")
        }
        guard let object, bytes == body + Self.end(of: body) else {
            throw TransferFault("\(place) is damaged: its checksum is wrong; use another backup")
        }
        do throws(TransferLine.Fault) { try self.init(TransferLine(object)) } catch {
            throw TransferFault("\(place) is damaged: \(error.reason); use another backup")
        }
    }

    private init(_ line: TransferLine) throws(TransferLine.Fault) {
        name = try line.text("name")
        program = try line.text("program")
        server = try line.text("server")
        began = try line.timestamp("began")
        ended = try line.timestamp("ended")
        schema = BackupSchema(accounts: try line.text("accountsSchema"), records: try line.text("recordsSchema"))
        newAssetBytes = try line.integer("newAssetBytes", in: TransferLine.numbers)
        databases = try line.objects("databases").map(Database.init)
    }

    init(
        name: String, server: String, schema: BackupSchema, began: Timestamp, ended: Timestamp, databases: [Database],
        newAssetBytes: Int64
    ) {
        self.name = name
        program = ProgramVersion.text
        self.server = server
        self.began = began
        self.ended = ended
        self.schema = schema
        self.databases = databases
        self.newAssetBytes = newAssetBytes
    }
}

extension BackupManifest.Database {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            if let place {
                $0.member("container", place.container)
                $0.member("containerID", place.containerID)
                $0.member("environment", place.environment.rawValue)
            }
            $0.key("file")
            file.write(to: &$0)
            $0.key("counts")
            $0.array { array in for count in counts { count.write(to: &array) } }
            if let assets {
                $0.key("assets")
                assets.write(to: &$0)
            }
        }
    }

    fileprivate init(_ line: TransferLine) throws(TransferLine.Fault) {
        place =
            line.members["environment"] == nil
            ? nil
            : Place(
                container: try line.text("container"),
                containerID: try line.integer("containerID", in: TransferLine.ids),
                environment: try line.choice("environment"))
        file = try BackupManifest.File(line.object("file"))
        counts = try line.objects("counts").map(BackupCount.init)
        assets = line.members["assets"] == nil ? nil : try BackupManifest.AssetList(line.object("assets"))
        guard file.name == Self.file(of: place) else {
            throw TransferLine.Fault(reason: "a database is in the file '\(Naming.shown(file.name))'")
        }
    }
}

extension BackupManifest.File {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("name", name)
            $0.member("size", size)
            $0.member("sha256", sha256)
        }
    }

    fileprivate init(_ line: TransferLine) throws(TransferLine.Fault) {
        name = try line.text("name")
        size = try line.integer("size", in: TransferLine.numbers)
        sha256 = try line.text("sha256")
    }
}

extension BackupManifest.AssetList {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            $0.key("file")
            file.write(to: &$0)
            $0.member("count", count)
            $0.member("bytes", bytes)
            $0.member("missing", missing)
            $0.key("missingKeys")
            $0.array { for key in missingKeys { $0.string(key) } }
        }
    }

    fileprivate init(_ line: TransferLine) throws(TransferLine.Fault) {
        file = try BackupManifest.File(line.object("file"))
        count = try line.integer("count", in: TransferLine.numbers)
        bytes = try line.integer("bytes", in: TransferLine.numbers)
        missing = try line.integer("missing", in: TransferLine.numbers)
        missingKeys = try line.texts("missingKeys")
    }
}

extension Sequence<UInt8> {
    /// Lower-case hex.
    var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
