@testable import CloudWire
import CloudModel
import Testing

struct WebhookAddressesTests {
    private static let specials = [
        "0.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe",
        "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:1ff::1",
        "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1", "3fff::1", "3fff:fff::1", "5f00::1", "fc00::1",
        "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
    ]

    private static let publics = [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2001:200::1",
        "2001:4860:4860::8888", "2001:db7:ffff::1", "2003::1", "2606:4700:4700::1111", "3ffe::1", "3fff:1000::1",
    ]

    /// Spellings that resolvers know besides.
    private static let spellings = ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "localhost"]

    @Test("Private and local addresses are refused for webhooks", arguments: specials + spellings)
    func privateAddresses(host: String) async throws {
        await #expect(throws: WebhookAddresses.Refusal.self) {
            _ = try await WebhookAddresses(allowPrivate: false).permitted(of: host)
        }
        #expect(try await !WebhookAddresses(allowPrivate: true).permitted(of: host).isEmpty)
    }

    @Test("Public addresses are allowed for webhooks", arguments: publics)
    func publicAddresses(host: String) async throws {
        #expect(try await WebhookAddresses(allowPrivate: false).permitted(of: host).count == 1)
    }

    @Test("A host with a forbidden address among its addresses is refused") func badAddress() async throws {
        let good = try #require(IPAddress([8, 8, 8, 8]))
        let bad = try #require(IPAddress([127, 0, 0, 1]))
        let addresses = WebhookAddresses(allowPrivate: false) { _ in [good, bad] }
        let refusal = await #expect(throws: WebhookAddresses.Refusal.self) {
            _ = try await addresses.permitted(of: "hooks.example.com")
        }
        #expect(refusal?.description.contains("hooks.example.com leads to 127.0.0.1") == true)
    }

    @Test("A webhook host that does not resolve is named in the refusal") func unresolved() async {
        let failure = await #expect(throws: HostLookup.Failure.self) {
            _ = try await HostLookup.addresses(of: "hooks.invalid")
        }
        #expect(failure?.description.hasPrefix("hooks.invalid has no address") == true)
    }

    @Test("An IP address of other than 4 or 16 bytes is refused") func addressLength() {
        for count in [0, 3, 5, 15, 17] { #expect(IPAddress([UInt8](repeating: 8, count: count)) == nil) }
    }
}
