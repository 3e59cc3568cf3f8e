import ArgumentParser
import CloudAssets
import CloudModel
import CloudOperations
import CloudStore
import CloudTransfer

/// Options that select a command's data.
///
/// In order of preference: the server named by `--server`, the data folder if unlocked, the server that holds the data folder.
struct AccessOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @Option(
        help: ArgumentHelp(
            "Origin of a server to speak to, such as https://cloud.example.com, rather than the data folder.",
            valueName: "url"))
    var server: String?
    @Option(
        help: ArgumentHelp(
            "File with the management token for --server; else it is in \(ManagementTokenSource.variable).",
            valueName: "file"))
    var managementTokenFile: String?

    /// Operations of the server or data folder.
    ///
    /// - Parameters:
    ///   - makesFolder: whether the command may create the data folder.
    ///   - report: receives the progress of long operations.
    func operations(makesFolder: Bool = false, report: @escaping ReportProgress = { _ in }) throws
        -> any UploadingOperations
    {
        if let client = try client() { return RemoteOperations(client: client) }
        let settings = try common.reader().settings()
        return try LocalOperations(
            settings: settings, mayBeNew: makesFolder, listing: common.reader().infos(), report: report)
    }

    /// Writes a person's export to `sink`.
    func exportPerson(_ email: String, to sink: some ByteSink & Sendable) async throws {
        let operation = PersonExportOperation.run
        let path = operation.route.path.replacing("{email}", with: ManagementClient.encoded(email))
        if let client = try client() { return try await client.download(path, to: sink) }
        try await LocalOperations(settings: common.reader().settings()).inside(nil) { operations in
            try await operations.run(operation) { $0.set(\.email, to: email) }.write(to: sink)
        } throughServer: { client in
            try await client.download(path, to: sink)
        }
    }

    private func client() throws -> ManagementClient? {
        try server.map {
            try ManagementClient(origin: $0, token: ManagementTokenSource.text(file: managementTokenFile))
        }
    }
}
