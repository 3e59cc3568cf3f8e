@testable import CloudHTTP
@testable import CloudServer
import CloudModel
import Testing

struct PathTableTests {
    private static let table = PathTable<String>(
        [
            "/", "/health", "/users/{id}", "/users/me", "/{container}/{environment}/list", "/users/{id}/x/{name}",
            "/d/{database}/{key}", "/rest/{path}",
        ].map { ($0, $0) })

    @Test(
        "A path matches the pattern with the most literal parts",
        arguments: [
            ("/", "/", []),
            ("/health", "/health", []),
            ("/users/me", "/users/me", []),
            ("/users/m%65", "/users/{id}", ["me"]),
            ("/users/development/list", "/{container}/{environment}/list", ["users", "development"]),
            ("/users/7/x/", "/users/{id}/x/{name}", ["7", ""]),
            ("/users/7/x/a%2Fb", "/users/{id}/x/{name}", ["7", "a/b"]),
            ("/d/public/k", "/d/{database}/{key}", ["public", "k"]),
            ("/rest/", "/rest/{path}", [""]),
            ("/rest/a//b%2F", "/rest/{path}", ["a//b/"]),
            ("/d/PRODUCTION/list", "/{container}/{environment}/list", ["d", "PRODUCTION"]),
        ])
    func fits(path: String, pattern: String, values: [String]) throws {
        let match = try #require(Self.table.match(path[...]))
        #expect(match.row == pattern)
        #expect(match.values.texts == values)
    }

    @Test(
        "A path that fits no pattern is not matched",
        arguments: [
            "", "health", "//", "/health/", "/users", "/users/", "/d/secret/k", "/d/PUBLIC/k", "/c/staging/list",
            "/rest",
        ])
    func fitsNone(path: String) {
        #expect(Self.table.match(path[...]) == nil)
    }

    @Test("Values captured on an abandoned branch are discarded")
    func backtracking() throws {
        let table = PathTable<Int>([("/{container}/{environment}/x", 1), ("/{id}/{name}/y", 2)])
        let match = try #require(table.match("/a/production/y"))
        #expect(match.row == 2 && match.values.texts == ["a", "production"] && match.values.container == nil)
    }

    @Test("Captured path values are read by their names")
    func names() throws {
        let values = try #require(Self.table.match("/iCloud.a/Production/list")).values
        #expect(values.place == RequestPlace(container: "iCloud.a", environment: .production))
        #expect(values.database == nil)
    }
}

struct URLPairsTests {
    @Test(
        "A query string is split at each ampersand and at the first equals sign of a parameter",
        arguments: [
            ("", []), ("a=1", ["a:1"]), ("a=1&b=2", ["a:1", "b:2"]), ("a=b=c", ["a:b=c"]), ("a", ["a:nil"]),
            ("a=", ["a:"]), ("&&=&a%3D=1&", [":", "a%3D:1"]),
        ])
    func pairs(query: String, expected: [String]) {
        let pairs = URLPairs(query.utf8).map { name, value in
            "\(Substring(name)):\(value.map { String(Substring($0)) } ?? "nil")"
        }
        #expect(pairs == expected)
    }
}
