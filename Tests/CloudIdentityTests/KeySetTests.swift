import CloudIdentity
import CloudModel
import Testing

@Suite(.timeLimit(.minutes(5)))
struct KeySetTests {
    private let provider = TestProvider()

    private func check(_ keys: [JSONValue], _ token: String) throws -> IDToken {
        try TestProvider.rules.check(token, keys: keySet(keys), now: TestProvider.now)
    }

    private func parsed(_ text: String) throws -> JSONValue { .object(try StrictJSON.object(Array(text.utf8))) }

    @Test("A token without a key id is checked by each key that fits")
    func noKeyID() throws {
        let others = (0..<5).map { _ in TestProvider().jwk(["kid": .string("other")]) }
        _ = try check(others + [provider.jwk()], provider.token(headerWithout: ["kid"]))
        #expect(throws: TokenFault.signature) { try check(others, provider.token(headerWithout: ["kid"])) }
    }

    @Test("Keys that share an id are each tried")
    func sharedID() throws { _ = try check([TestProvider().jwk(), provider.jwk()], provider.token()) }

    @Test("A key is used for what its set says alone")
    func use() throws {
        for (member, value, fault) in [
            ("use", .string("enc"), .keyUse), ("key_ops", .array([.string("encrypt")]), .keyUse),
            ("alg", .string("ES384"), .unfitKey), ("alg", .string("none"), .unfitKey),
        ] as [(String, JSONValue, TokenFault)] {
            #expect(throws: fault) { try check([provider.jwk([member: value])], provider.token()) }
        }
        _ = try check(
            [provider.jwk(["alg": .string("ES256"), "key_ops": .array([.string("verify")])])], provider.token())
        #expect(TokenFault.allCases.filter(\.mayNeedNewKeys) == [.unknownKey])
        #expect(throws: TokenFault.unknownKey) { try check([], provider.token()) }
    }

    @Test("Ids of keys compare by their bytes")
    func exactID() throws {
        let token = provider.token(header: ["kid": .string("e\u{301}")])
        #expect(throws: TokenFault.unknownKey) { try check([provider.jwk(["kid": .string("\u{e9}")])], token) }
        _ = try check([provider.jwk(["kid": .string("e\u{301}")])], token)
    }

    @Test("A key that cannot be used is left out, and the others stay")
    func skipped() throws {
        let rsa = try #require(parsed(TokenVectors.keys).object?["keys"]?.array?.first?.object)
        func changedRSA(_ name: String, _ bytes: [UInt8]) -> JSONValue {
            var key = rsa
            key.set(name, .string(Base64URL.encode(bytes)))
            return .object(key)
        }
        let modulus = try #require(Base64URL.decode(rsa["n"]?.string ?? ""))
        let zeros = Base64URL.encode([UInt8](repeating: 0, count: 32))
        let bad: [(JSONValue, JSONWebKey.Fault)] = [
            (try parsed(TokenVectors.weakKey), .weak), (changedRSA("e", [1]), .weak), (changedRSA("e", [2]), .weak),
            (changedRSA("e", [0, 1, 0, 1]), .weak), (changedRSA("e", [1, 0, 0, 0, 1]), .weak),
            (changedRSA("e", []), .weak),
            (changedRSA("n", modulus.dropLast() + [0]), .weak),
            (changedRSA("n", [UInt8](repeating: 0xff, count: 1025)), .weak), (changedRSA("d", [1]), .isPrivate),
            (provider.jwk(["x": .string(zeros)]), .point), (provider.jwk(["x": .string("AAAA")]), .point),
            (provider.jwk(["x": .string("A=")]), .member),
            (provider.jwk(["kty": .string("oct"), "k": .string("AA")]), .secret),
            (provider.jwk(["kty": .string("new")]), .type), (provider.jwk(["crv": .string("P-521")]), .type),
            (provider.jwk(["crv": .string("secp256k1")]), .type), (provider.jwk(["kid": .integer(1)]), .member),
            (provider.jwk(["kty": .string("OKP"), "crv": .string("X25519")]), .type),
            (provider.jwk(["kty": .string("OKP"), "crv": .string("Ed25519"), "x": .string("AAAA")]), .point),
            (.string("key"), .member), (provider.jwk(), .repeated),
        ]
        let set = try keySet([provider.jwk()] + bad.map(\.0))
        #expect(set.keys.count == 1)
        #expect(set.skipped.map(\.fault) == bad.map(\.1))
        #expect(set.skipped.map(\.place) == Array(1...bad.count))
    }

    @Test("A set that is no set is refused")
    func malformed() {
        typealias Fault = JSONWebKeySet.Fault
        let many = "{\"keys\":[" + Array(repeating: "{}", count: 101).joined(separator: ",") + "]}"
        for (text, fault) in [
            ("", Fault.json), ("[]", .json), ("{}", .keys), (#"{"keys":{}}"#, .keys),
            (#"{"keys":[],"keys":[]}"#, .duplicate),
            (#"{"keys":[{"kid":"a","kid":"b"}]}"#, .duplicate), (many, .count),
            ("{\"keys\":[]}" + String(repeating: " ", count: 256 * 1024), .size),
        ] { #expect(throws: fault) { try JSONWebKeySet(parsing: Array(text.utf8)) } }
    }
}
