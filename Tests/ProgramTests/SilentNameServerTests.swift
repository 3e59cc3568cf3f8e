import CloudModel
import Foundation
import TestCloud
import TestPostgres
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Name servers that never answer hold up nobody beyond the time that they have.
@Suite(.timeLimit(.minutes(10)))
struct SilentNameServerTests {
    private let program: Program

    init() throws { program = try Program() }

    /// What a program has in its environment for look-ups of names below `silent.example` to have no end.
    private func environment(_ more: [String: String] = [:]) async throws -> [String: String] {
        let source = try program.file(
            "silent.c",
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <netdb.h>
            #include <string.h>
            #include <unistd.h>

            int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
                int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
                    dlsym(RTLD_NEXT, "getaddrinfo");
                while (node && strstr(node, "silent.example")) pause();
                return next(node, service, hints, found);
            }
            """)
        let library = program.folder.appending(path: "silent.so").path()
        let made = try await program.bash("cc -shared -fPIC -o '\(library)' '\(source.path())' -ldl")
        try #require(made.status == 0, "\(made.errors)")
        return more.merging(["LD_PRELOAD": library]) { $1 }
    }

    @Test("Of two PostgreSQL hosts, the one with an unanswered name lookup is skipped")
    func otherHost() async throws {
        let cluster = try TestCluster.shared.get()
        let url = try cluster.makeDatabase()
        let several = url.replacing("@", with: "@db.silent.example,")
        let server = try await RunningServer(
            program, "--dev",
            environment: try await environment([
                // A busy machine may need more than a second to connect to the other one.
                "CUMULUS_DATABASE_URL": several, "CUMULUS_DATABASE_CONNECT_TIME": "3",
                "CUMULUS_ASSETS_URL": "file://\(program.folder.path())/assets",
            ]))
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["first"], text: "x").response.statusCode == 200)
        #expect(try await person.found(["first"]) == ["first"])
        #expect(try await server.status("/health") == 200)
        #expect(await server.stop() == 0)
    }

    @Test("A server whose only database has an unanswered name lookup says so and ends")
    func noHost() async throws {
        let outcome = try await program(
            "serve", "--port", "0",
            environment: try await environment([
                "CUMULUS_DATABASE_URL": "postgres://cumulus@db.silent.example/x", "CUMULUS_DATABASE_CONNECT_TIME": "1",
            ]))
        #expect(outcome.status != 0 && outcome.errors.contains("db.silent.example"), "\(outcome.errors)")
        #expect(outcome.errors.contains("no name server has told"), "\(outcome.errors)")
    }

    @Test("A webhook with an unanswered name lookup is added with a warning, by command and by a server")
    func webhooks() async throws {
        #expect(try await program("container", "create", "c").status == 0)
        let words = [
            "webhook", "add", "--container", "c", "--environment", "development", "https://hooks.silent.example/x",
        ]
        let environment = try await environment()
        let local = try await program.run(words, environment: environment)
        #expect(local.status == 0 && (local.output + local.errors).contains("no name server has told"), "\(local)")
        let token = try await program("management-token", "create", "--name", "t").output
            .trimmingCharacters(in: .newlines)
        let server = try await RunningServer(program, environment: environment)
        let answer = try await program.bash(
            """
            curl -s '\(server.origin)/admin/1/webhooks' -H 'Authorization: Bearer \(token)' \
                -d '{"container": "c", "environment": "production", "url": "https://hooks.silent.example/y"}'
            """)
        #expect(answer.output.contains("no name server has told"), "\(answer.output)")
        #expect(try await server.status("/health") == 200)
        #expect(await server.stop() == 0)
    }

    @Test("A server whose S3 store has an unanswered name lookup starts, and is unhealthy")
    func assets() async throws {
        let server = try await RunningServer(
            program, "--dev",
            environment: try await environment([
                "CUMULUS_ASSETS_URL": "s3://bucket/x", "CUMULUS_ASSETS_ENDPOINT": "http://store.silent.example:9000",
                "CUMULUS_ASSETS_PATH_STYLE": "true", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
            ]))
        let person = try await DevelopmentPerson(server)
        #expect(try await person.create(["first"], text: "x").response.statusCode == 200)
        try await until { try await server.status("/health") != 200 }
        let health = try await server.get("/health")
        #expect(String(decoding: health.body, as: UTF8.self).contains("assets"))
        #expect(try await person.create(["second"], text: "x").response.statusCode == 200)
        #expect(await server.stop() == 0)
    }
}
