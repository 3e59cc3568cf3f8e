import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Damaged requests to the key-value store: whatever comes, never a 5xx, and never a value nobody has sent.
struct KeyValueFuzzTests {
    private static let seeds: [(endpoint: String, body: String)] = [
        (
            "modify",
            #"{"set": {"a": {"type": "STRING", "value": "x"}, "b": {"type": "LIST", "value": [{"type": "INT64", "value": 1}, {"type": "DOUBLE", "value": 1.5}]}, "c": {"type": "DICTIONARY", "value": {"k": {"type": "BOOLEAN", "value": true}, "l": {"type": "BYTES", "value": "AP8="}}}, "t": {"type": "TIMESTAMP", "value": 1422312944104}}, "remove": ["d", "e"], "changeToken": null}"#
        ),
        ("modify", #"{"set": {"a": {"type": "DOUBLE", "value": "NaN"}}, "changeToken": "TOKEN"}"#),
        ("modify", #"{"remove": ["a", "b", "c", "t"], "changeToken": "TOKEN"}"#),
        ("changes", #"{"changeToken": "TOKEN", "resultsLimit": 2}"#), ("changes", #"{"resultsLimit": 1}"#),
        ("values", "{}"),
    ]

    @Test("Random key-value requests never get a server error", arguments: 0..<3 as Range<UInt64>)
    func fuzz(seed: UInt64) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            var token = try await mei.device().set(["a": "1"]).changeToken
            var mutator = Mutator(seed: seed)
            let end = ContinuousClock.now + .seconds(15)
            for _ in 0..<400 where ContinuousClock.now < end {
                let (endpoint, body) = mutator.pick(Self.seeds)
                let device = (mutator.one(in: 8) ? server.app() : mei).device(mutator.one(in: 2) ? "phone" : nil)
                let bytes = mutator.mutated(body.replacing("TOKEN", with: token))
                let target =
                    mutator.one(in: 10) ? mutator.mutatedTarget(device.target(endpoint)) : device.target(endpoint)
                let answer = Answer(
                    try await server.client.execute(uri: target, method: .post, body: ByteBuffer(bytes: bytes)))
                let sent = "\(target) \(String(decoding: bytes, as: UTF8.self)): \(answer.text)"
                #expect(answer.status < 500, "\(sent)")
                #expect(Contract.shared.faults(of: answer, to: .post, target) == [], "\(sent)")
                if answer.status == 200, !answer.changeToken.isEmpty { token = answer.changeToken }
            }
            let all = try await mei.device().post("values")
            #expect(try await mei.device().changes()["values"]?.keys == all["values"]?.keys)
        }
    }
}
