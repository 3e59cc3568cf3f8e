import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

/// What docs/clients-swift.md shows, compiled and run. A test holds the two to each other.
@Suite(.cumulus, .timeLimit(.minutes(1)))
struct DocumentTests {
    @Test("What the document shows runs")
    func snippets() async throws {
        let origin = CumulusTest.container.configuration.origin
        let apiToken = CumulusServer.apiToken

        let container = CKContainer(
            CumulusConfiguration(identifier: "iCloud.com.example.notes", origin: origin, apiToken: apiToken))
        try await container.signInForDevelopment(email: "mei@example.com")
        let database = container.privateCloudDatabase

        let note = CKRecord(recordType: "Note")
        note["title"] = "Groceries"
        note["stars"] = 4
        try await database.save(note)

        let found = try await database.record(for: note.recordID)
        let title: String? = found["title"]
        #expect(title == "Groceries")

        let query = CKQuery(
            recordType: "Note", predicate: .field("stars", .greater, 3),
            sortDescriptors: [.init(key: "stars", ascending: false)])
        let page = try await database.records(matching: query, inZoneWith: .default)
        for (_, result) in page.matchResults { print(try result.get()["title"] ?? "") }
        #expect(page.matchResults.count == 1)
        try await database.save(found)

        do {
            note["stars"] = 5
            try await database.save(note)
        } catch let error as CKError where error.code == .serverRecordChanged {
            guard let server = error.serverRecord else { throw error }
            server["stars"] = 5
            try await database.save(server)
        }
        #expect(try await database.record(for: note.recordID)["stars"] == 5)

        let results = try await database.modifyRecords(saving: [note], deleting: [], atomically: false)
        for (id, result) in results.saveResults {
            if case .failure(let error) = result { print(id.recordName, error) }
        }

        let file = FileManager.default.temporaryDirectory.appending(path: "temple-\(UUID().uuidString).jpg")
        try Data("picture".utf8).write(to: file)

        let photo = CKRecord(recordType: "Photo")
        let image = CKAsset(fileURL: file)
        image.onProgress { print("\($0.completed) of \($0.total) bytes") }
        photo["image"] = image
        try await database.save(photo)

        let fetched: CKAsset? = try await database.record(for: photo.recordID)["image"]
        let copy = try await fetched?.download()
        #expect(try Data(contentsOf: #require(copy)) == Data("picture".utf8))
    }

    @Test(.cumulus) func savesANote() async throws {
        let database = CumulusTest.container.privateCloudDatabase
        try await database.save(CKRecord(recordType: "Note"))
    }

    @Test("Each Swift snippet of the document is one that is compiled here, or the manifest's")
    func agreement() throws {
        let here = URL(filePath: #filePath)
        let source = Self.lines(of: try String(contentsOf: here, encoding: .utf8))
        let document = here.deletingLastPathComponent().appending(path: "../../../../docs/clients-swift.md")
            .standardized
        let parts = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
        let snippets = parts.compactMap { $0.components(separatedBy: "```").first }.filter {
            !$0.contains("Package.swift")
        }
        #expect(snippets.count == 7)
        for snippet in snippets {
            #expect(source.contains(Self.lines(of: snippet)), "not compiled: \(snippet)")
        }
    }

    /// The lines without their indentation, which differs.
    private static func lines(of text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}

final class Notes: CKSyncEngineDelegate {
    let file: CKSyncEngine.StateFile

    init(file: CKSyncEngine.StateFile) { self.file = file }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        switch event {
        case .stateUpdate(let state): try? file.save(state)
        case .fetchedRecordZoneChanges(let changes): print("\(changes.modifications.count) came")
        case .sentRecordZoneChanges(let sent): print("\(sent.savedRecords.count) went")
        default: break
        }
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        await CKSyncEngine.RecordZoneChangeBatch(
            pendingChanges: syncEngine.state.pendingRecordZoneChanges
        ) { id in
            CKRecord(recordType: "Note", recordID: id)
        }
    }
}
