@testable import CloudServer
import CloudHTTP
import TestCloud
import Testing

struct RouteTableTests {
    @Test("The document lists the routes for programs with their methods, and no page for people")
    func document() {
        let documented = Contract.shared.operations
        let routes = RouteRow.all.filter { !$0.isForPeople }
        // The document describes HEAD for all routes at once.
        for row in routes { #expect(documented[row.pattern] == row.methods.subtracting([.head]), "\(row.pattern)") }
        #expect(Set(documented.keys) == Set(routes.map(\.pattern)))
    }

    @Test("The pages for people are the console, the sign-in, the account and their files")
    func people() {
        let pages = RouteRow.all.filter(\.isForPeople)
        #expect(pages.count > 40)
        for page in pages {
            #expect(page.kind == .page, "\(page.pattern)")
            let folder = page.pattern.split(separator: "/").first.map(String.init) ?? ""
            #expect(["console", "auth", "account", "static"].contains(folder), "\(page.pattern)")
        }
        for row in RouteRow.all where !row.isForPeople {
            #expect(!row.pattern.hasPrefix("/console") && !row.pattern.hasPrefix("/account"), "\(row.pattern)")
        }
    }

    @Test("A page for people answers HTML for a method that it does not support, and HTML or nothing for the others")
    func pageAnswers() async throws {
        try await TestServer.run { server in
            for row in RouteRow.all where row.isForPeople {
                let path = row.pattern.replacing(#/\{[a-z]+\}/#, with: "x")
                let refused = try await server.send(.delete, path)
                #expect(refused.status == 405, "\(path)")
                let answer = try await server.send(.get, path)
                let type = answer.headers[.contentType] ?? ""
                #expect(answer.status < 500 && (type.hasPrefix("text/html") || answer.text.isEmpty), "\(path): \(type)")
            }
        }
    }

    @Test(
        "Every path of the route table is matched",
        arguments: ["development", "production"], ["public", "private", "shared"])
    func matched(environment: String, database: String) {
        for (path, methods) in Router.paths {
            let path = path.replacing("{container}", with: "iCloud.a").replacing("{environment}", with: environment)
                .replacing("{database}", with: database).replacing(#/\{[a-z]+\}/#, with: "x")
            #expect(Router(dev: true).match(path[...])?.methods == methods, "\(path)")
        }
    }

    @Test("Without --dev the emulator has no paths")
    func production() {
        let emulator = RouteRow.all.filter(\.isForDevelopment).map(\.pattern)
        #expect(emulator.filter { $0.hasPrefix("/emulator/") }.count > 7 && emulator.contains("/auth/dev/session"))
        for pattern in emulator {
            let path = pattern.replacing(#/\{[a-z]+\}/#, with: "x")
            #expect(Router(dev: true).match(path[...]) != nil && Router(dev: false).match(path[...]) == nil, "\(path)")
        }
        for row in RouteRow.all where row.pattern.hasPrefix("/emulator/") {
            #expect(row.isForDevelopment, "\(row.pattern)")
        }
    }

    @Test(
        "A path outside the table is not matched",
        arguments: [
            "", "//", "/database", "/database/1", "/database/2/iCloud.a/development/public/zones/list",
            "/database/1/iCloud.a/staging/public/zones/list", "/database/1/iCloud.a/development/secret/zones/list",
            "/database/1/iCloud.a/development/PUBLIC/zones/list", "/database/1/iCloud.a/development/public/zones",
            "/database/1/iCloud.a/development/public/zones/list/",
            "/database/1/iCloud.a/development/public//zones/list",
            "/health/", "/auth/dev", "/database/1/iCloud.a/development/public/zones%2Flist",
        ])
    func otherPaths(path: String) {
        #expect(Router(dev: true).match(path[...]) == nil)
    }
}
