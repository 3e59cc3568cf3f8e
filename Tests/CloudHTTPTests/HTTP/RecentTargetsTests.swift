import Testing

@testable import CloudHTTP

struct RecentTargetsTests {
    private static func found(_ text: String, _ method: HTTPRequest.Method = .get) -> RecentTargets.Found {
        let target = RequestTarget(text)
        return RecentTargets.Found(
            method: method, target: target,
            match: RouteMatch(RouteInfo("/known", [.get], .wire), PathValues(of: target.path)))
    }

    @Test("A repeated target is known with its route") func repeated() throws {
        var recent = RecentTargets()
        #expect(recent.known("/known?ckAPIToken=a", .get) == nil)
        let first = Self.found("/known?ckAPIToken=a")
        recent.add(first)
        let second = try #require(recent.known("/known?ckAPIToken=a", .get))
        #expect(first.target === second.target && first.match === second.match)
        #expect(second.target.path == "/known" && second.target.query == "ckAPIToken=a")
        #expect(second.target.parameters.apiToken == "a")
    }

    @Test("A target is known per method") func methods() {
        var recent = RecentTargets()
        recent.add(Self.found("/known"))
        #expect(recent.known("/known", .get) != nil && recent.known("/known", .post) == nil)
    }

    @Test("Texts that Swift calls equal, of other bytes, are other targets") func bytes() {
        var recent = RecentTargets()
        recent.add(Self.found("/\u{E9}"))
        #expect(recent.known("/e\u{301}", .get) == nil)
    }

    @Test("A long target is not kept") func long() {
        var recent = RecentTargets()
        let text = "/known?" + String(repeating: "a", count: 1024)
        recent.add(Self.found(text))
        #expect(recent.known(text, .get) == nil)
    }

    @Test("An unknown path and an unknown method are not kept") func unknown() {
        var recent = RecentTargets()
        let target = RequestTarget("/unknown")
        recent.add(RecentTargets.Found(method: .get, target: target, match: nil))
        recent.add(Self.found("/known", HTTPRequest.Method(token: "FLY")))
        #expect(recent.known("/unknown", .get) == nil)
        #expect(recent.known("/known", HTTPRequest.Method(token: "FLY")) == nil)
    }

    @Test("Of thousands of targets a known one is itself, and few stay") func many() {
        var recent = RecentTargets()
        for number in 0..<5000 { recent.add(Self.found("/known/\(number)")) }
        let kept = (0..<5000).filter { number in
            guard let found = recent.known("/known/\(number)", .get) else { return false }
            #expect(found.target.text == "/known/\(number)")
            return true
        }
        #expect((1...256).contains(kept.count))
    }
}
