@testable import CloudServer
import CloudHTTP
import TestCloud
import Testing

struct RouteTableTests {
    @Test("The router and openapi.yaml list the same paths and methods") func sameRoutes() {
        let documented = Contract.shared.operations
        // HEAD is said of all of them at once.
        for (path, methods) in Router.paths { #expect(documented[path] == methods.subtracting([.head]), "\(path)") }
        #expect(Set(documented.keys) == Set(Router.paths.keys))
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
