@testable import CloudHTTP
import CloudAccounts
import CloudWire
import CloudServer
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Addresses in `X-Forwarded-For`, as proxies write them.
struct ForwardedAddressTests {
    private static let name = HTTPField.Name("X-Forwarded-For")!

    @Test(
        "The last entry of X-Forwarded-For counts, with or without a port",
        arguments: [
            (["203.0.113.7"], "203.0.113.7"), (["203.0.113.7:51234"], "203.0.113.7"),
            (["198.51.100.9, 203.0.113.7:51234"], "203.0.113.7"), (["198.51.100.9", "203.0.113.7:443"], "203.0.113.7"),
            (["203.0.113.7:51234, "], "203.0.113.7"), (["203.0.113.7:1", ""], "203.0.113.7"),
            (["203.0.113.7:"], "203.0.113.7"), (["203.0.113.7:_port"], "203.0.113.7"),
            (["203.0.113.7:99999"], "203.0.113.7"), (["\"203.0.113.7:80\""], "203.0.113.7"),
            (["[2001:db8:1:2::1]:443"], "2001:db8:1:2::/64"), (["[2001:db8:1:2::1]"], "2001:db8:1:2::/64"),
            (["2001:db8:1:2::1"], "2001:db8:1:2::/64"), (["\"[2001:db8:1:2::1]:80\""], "2001:db8:1:2::/64"),
            (["2001:db8:1:2::1%eth0"], "2001:db8:1:2::/64"), (["[2001:db8:1:2::1%25en0]:8"], "2001:db8:1:2::/64"),
            (["[::ffff:203.0.113.7]:51234"], "203.0.113.7"), (["::ffff:203.0.113.7"], "203.0.113.7"),
            // No address: the connection's counts.
            (["unknown"], "192.0.2.1"), (["203.0.113.7, unknown"], "192.0.2.1"), (["_hidden:80"], "192.0.2.1"),
            (["[2001:db8::1"], "2001:db8:0:0::/64"), (["[]:80"], "192.0.2.1"), ([":80"], "192.0.2.1"),
            (["203.0.113.777:80"], "192.0.2.1"), (["203.0.113:80"], "192.0.2.1"), ([",,"], "192.0.2.1"),
            ([], "192.0.2.1"),
        ] as [([String], String)])
    func lastEntry(values: [String], address: String) throws {
        var headers = HTTPFields()
        for value in values { headers.append(HTTPField(name: Self.name, value: value)) }
        let peer = try SocketAddress(ipAddress: "192.0.2.1", port: 1)
        #expect(ClientAddress(headers: headers, peer: peer, trustForwardedFor: true)?.text == address)
        #expect(ClientAddress(headers: headers, peer: peer, trustForwardedFor: false)?.text == "192.0.2.1")
    }

    @Test("A throttled client is recognized at any port, and other clients are not throttled")
    func ports() async throws {
        let book = LogBook()
        try await TestServer.run(
            dev: false,
            configure: {
                $0.trustForwardedFor = true
                $0.guessing.perAddress = 3
            }, logger: book.logger()
        ) { server in
            _ = try await server.accounts.containers.create(name: "c")
            let guesser = Operator(server: server, container: "c", token: "cm_guess")
            let guess = { (address: String) in
                try await guesser.send(.get, "schema", headers: [Self.name: address]).status
            }
            let first = try await (0..<5).asyncMap { try await guess("198.51.100.5:\(50000 + $0)") }
            #expect(first == [401, 401, 401, 429, 429])
            let others = ["198.51.100.50:443", "198.51.100.51:443", "[2001:db8::9]:443", "2001:db8:1::9"]
            #expect(try await others.asyncMap(guess) == [401, 401, 401, 401])
            for _ in 0..<2 { _ = try await guess("unknown") }
        }
        #expect(book.lines(with: "X-Forwarded-For ends with no address").count == 1, "\(book.lines)")
    }
}
