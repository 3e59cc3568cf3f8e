import CloudAssets
import Foundation
import Testing

@testable import cumulus

/// Settings of the place of assets, as the program understands them.
@Suite(.timeLimit(.minutes(5)))
struct AssetSettingsTests {
    private static let key = ["AWS_ACCESS_KEY_ID": "known", "AWS_SECRET_ACCESS_KEY": "hidden"]

    private static func settings(_ url: String?, endpoint: String? = nil) -> AssetSettings {
        var settings = AssetSettings()
        (settings.url, settings.bucket.endpoint) = (url, endpoint)
        return settings
    }

    @Test(
        "assets.url names a folder or a bucket",
        arguments: [
            ("file:///srv/assets", nil, "file:///srv/assets"),
            ("s3://pictures", nil, "s3://pictures/ at https://pictures.s3.us-east-1.amazonaws.com"),
            ("s3://pictures/a/b/", "http://127.0.0.1:9000", "s3://pictures/a/b/ at http://pictures.127.0.0.1:9000"),
        ])
    func places(url: String, endpoint: String?, place: String) throws {
        #expect(
            try Self.settings(url, endpoint: endpoint).backend(data: "/data", environment: Self.key)?.place == place)
    }

    @Test("Without assets.url assets are stored in the data folder") func defaultPlace() throws {
        #expect(try Self.settings(nil).backend(data: "/data", environment: [:]) == nil)
    }

    @Test(
        "An unreadable asset setting is named",
        arguments: [
            ("ftp://host/folder", nil, "assets.url must be"), ("s3://", nil, "assets.url must be"),
            ("file://host/folder", nil, "assets.url must be"), ("s3://a", "example.com", "assets.endpoint an origin"),
            ("s3://a", "https://example.com/path", "assets.endpoint an origin"),
        ])
    func unreadable(url: String, endpoint: String?, message: String) throws {
        let complaint = #expect(throws: Complaint.self) {
            _ = try Self.settings(url, endpoint: endpoint).backend(data: "/data", environment: Self.key)
        }
        #expect(complaint?.description.contains(message) == true)
    }

    @Test("The key comes from a file or the environment, and a server without one does not start")
    func keys() throws {
        let complaint = #expect(throws: Complaint.self) {
            _ = try Self.settings("s3://a").backend(data: "/data", environment: [:])
        }
        #expect(complaint?.description.contains("AWS_ACCESS_KEY_ID") == true)
        let program = try Program()
        var settings = Self.settings("s3://a")
        settings.bucket.credentialsFile = try program.file(
            "key", "[default]\naws_access_key_id = known\naws_secret_access_key = hidden\n"
        ).path()
        #expect(try settings.backend(data: "/data", environment: [:]) != nil)
        settings.bucket.credentialsFile = program.folder.path() + "/none"
        #expect(throws: Complaint.self) { _ = try settings.backend(data: "/data", environment: Self.key) }
    }

    @Test("A program started with another asset location refuses to run", .timeLimit(.minutes(10)))
    func anotherPlace() async throws {
        let program = try Program()
        let first = ["CUMULUS_ASSETS_URL": "file://\(program.folder.path())/one"]
        let server = try await RunningServer(program, "--dev", environment: first)
        _ = try await DevelopmentPerson(server).send("zones/list", "{}")
        #expect(await server.stop() == 0)
        let others: [(environment: [String: String], place: String)] = [
            ([:], "the data folder"), (["CUMULUS_ASSETS_URL": "file:///two"], "file:///two"),
        ]
        for command in [["serve", "--dev", "--port", "0"], ["container", "list"]] {
            for (environment, place) in others {
                let refusal = try await program.run(command, environment: environment)
                #expect(refusal.status == 1)
                #expect(refusal.errors.contains("are in file://\(program.folder.path())/one,"), "\(refusal.errors)")
                #expect(refusal.errors.contains("names \(place);"), "\(refusal.errors)")
            }
        }
        #expect(try await program("container", "list", environment: first).status == 0)
    }
}
