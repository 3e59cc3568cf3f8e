import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudServer
import CloudEmulator
import CloudModel
import CloudOperations
import CloudStore
import CloudTransfer
import Foundation

/// The initial data of the server in `cumulus exec`.
struct ExecContents {
    let container: String
    /// The path of a schema file.
    let schema: String?
    /// The path of an export folder or a hand-written seed file.
    let seed: String?
    /// The path of a faults file.
    let faults: String?
    /// The initial time; nil for the real time.
    let time: Timestamp?
    /// Whether the clock is frozen until a test moves it.
    let isFrozen: Bool

    /// Adds the faults from the file, which requests will meet.
    func addFaults(to rules: FaultRules) throws {
        guard let faults else { return }
        let text = try Self.text(of: faults, option: "--faults")
        guard let list = (try? JSONParser.parse(Array(text.utf8)))?.array else {
            throw Complaint("\(faults) must be a JSON array of faults, as /emulator/1/faults takes them")
        }
        for (index, fault) in list.enumerated() {
            do { try rules.add(fault.object ?? JSONObject()) } catch let error as ServerError {
                throw Complaint("\(faults): fault \(index + 1): \(error.reason)")
            }
        }
    }

    func fill(_ data: DataFolder, _ accounts: AccountStore, _ settings: Settings) async throws {
        let container = try await accounts.containers.ensure(name: container)
        if let seed, FileManager.default.isFolder(seed) {
            _ = try await EnvironmentImport(
                of: ExportFolder(path: seed), into: container, .development, in: data, accounts: accounts
            ).run(connectsUsers: true)
        }
        if let schema {
            let text = try SchemaFile(path: schema).content().text
            try await LocalOperations(settings: settings).inside(container.name) { operations in
                let place = EnvironmentAddress(container: container.name, environment: .development)
                _ = try await operations.run(
                    SchemaOperations.importText, SchemaImport(text, SchemaPlan(place)))
            } throughServer: { _ in
                throw Complaint("another server is running on \(data.path)")
            }
        }
        if let seed, !FileManager.default.isFolder(seed) {
            try await plant(seed, in: container, data, accounts, settings.server.limits)
        }
    }

    private func plant(
        _ seed: String, in container: Container, _ data: DataFolder, _ accounts: AccountStore, _ limits: Limits
    ) async throws {
        let text = try Self.text(of: seed, option: "--seed")
        let stores = ContainerStores(folder: data, accounts: accounts, previews: nil, limits: limits)
        do {
            _ = try await Seed(text, limits: limits).plant(in: container, accounts: accounts, stores: stores)
        } catch let error as ServerError {
            throw Complaint("\(seed), \(error.reason)")
        }
        try await stores.close()
    }

    private static func text(of path: String, option: String) throws -> String {
        do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw Complaint("\(option): \(path) cannot be read: \(error.localizedDescription)")
        }
    }
}

extension FileManager {
    fileprivate func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
