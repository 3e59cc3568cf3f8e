@testable import CloudHTTP
import Testing

struct QueryStringTests {
    @Test(
        "The web auth token is decoded as CloudKit's clients encode it",
        arguments: [
            ("ckWebAuthToken=1__1__AB%2Bc%2Fd%3D%3D", "1__1__AB+c/d=="),
            ("ckWebAuthToken=1__1__AB+c/d==", "1__1__AB+c/d=="),
            ("ckWebAuthToken=1__1__AB%252Bc%252Fd%253D%253D", "1__1__AB+c/d=="),
            ("ckWebAuthToken=1__1__AB%252bc", "1__1__AB+c"),
            ("ckWebAuthToken=1__1__AB%20c", "1__1__AB+c"),
            ("ckSession=x%2By", "x+y"),
            ("ckSession=old&ckWebAuthToken=new", "new"),
            ("ckSession=null", nil),
            ("ckSession=null&ckWebAuthToken=new", "new"),
            ("ckWebAuthToken=", nil),
            ("ckWebAuthToken", nil),
            ("ckwebauthtoken=x", nil),
            ("ckWebAuthToken=50%&x=%zz", "50%"),
            ("", nil),
        ])
    func webAuthToken(raw: String, expected: String?) {
        #expect(QueryString(raw).webAuthToken == expected)
    }

    @Test(
        "getCurrentSyncToken is read in any letter case",
        arguments: [
            ("getCurrentSyncToken=true", true), ("getCurrentSyncToken=True", true), ("getCurrentSyncToken=TRUE", true),
            ("getCurrentSyncToken=false", false), ("getCurrentSyncToken=1", false), ("", false),
        ])
    func syncTokenCase(raw: String, expected: Bool) {
        #expect(QueryString(raw).getCurrentSyncToken == expected)
    }

    @Test("The order of query parameters does not matter, and unknown ones are ignored") func parsing() {
        let query = QueryString("remapEnums=True&ckAPIToken=ab&&=&clientId=%F0%28&ckAPIToken=cd&ckWebAuthToken=t")
        #expect(query.apiToken == "ab")
        #expect(query.webAuthToken == "t")
    }

    @Test("A missing query counts as an empty one") func emptyQuery() {
        #expect(QueryString(nil as String?) == QueryString())
    }

    @Test(
        "A request parses the parameters of its query",
        arguments: [
            ("/a?ckAPIToken=ab&ckWebAuthToken=a%252Bb+c%3D", "ab", "a+b+c="), ("/a?", nil, nil), ("/a", nil, nil),
            ("/a?x?ckAPIToken=b&ckAPIToken=%C3%A9%2", "\u{E9}%2", nil), ("/?ckSession=null", nil, nil),
        ] as [(String, String?, String?)])
    func requestParameters(target: String, apiToken: String?, session: String?) {
        let request = Request(head: HTTPRequest(method: .get, authority: "a", path: target))
        #expect(request.parameters.apiToken == apiToken && request.parameters.webAuthToken == session)
        #expect(request.parameters == QueryString(request.query))
    }
}
