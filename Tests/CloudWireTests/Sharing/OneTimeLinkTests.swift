import TestCloud
import CloudModel
import Testing

/// One-time links that cannot be made.
struct OneTimeLinkTests {
    @Test(
        "A malformed one-time link is refused by the member at fault, and the share is unchanged",
        arguments: [
            ("5", "oneTimeStableUrlInfo"), ("[]", "oneTimeStableUrlInfo"), (#""x""#, "oneTimeStableUrlInfo"),
            (#"{"oneTimeLinks": {}}"#, "oneTimeLinks"), (#"{"oneTimeLinks": "L"}"#, "oneTimeLinks"),
            (#"{"oneTimeLinks": [5]}"#, "oneTimeLinks[0]"), (#"{"oneTimeLinks": [{}]}"#, "oneTimeLinks[0]"),
            (#"{"oneTimeLinks": [{"participantId": ["L"]}, {"participantId": 5}]}"#, "oneTimeLinks[1]"),
            (#"{"oneTimeLinks": [{"participantId": ["L", 5]}]}"#, "oneTimeLinks[0]"),
            (#"{"oneTimeLinks": [{"participantId": {"L": 1}}]}"#, "oneTimeLinks[0]"),
            (
                #"{"oneTimeLinks": [\#(Array(repeating: #"{"participantId": ["L"]}"#, count: 1001).joined(separator: ","))]}"#,
                "oneTimeLinks"
            ),
        ])
    func malformed(info: String, member: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "root")
            try await mei.share("root", in: "Z")
            let entry = #"{"participantId": "L", "type": "USER", "permission": "READ_ONLY"}"#
            let answer = try await mei.updateShare(
                "Share-root", in: "Z", #""participants": [\#(entry)], "oneTimeStableUrlInfo": \#(info)"#)
            #expect(answer.text.contains("BAD_REQUEST") && answer.text.contains(member), "\(answer.text.prefix(500))")
            let share = try await mei.lookup(zone: "Z", "Share-root")
            #expect(!share.text.contains("sharingLink") && share["records.0.participants"]?.array?.count == 1)
        }
    }
}
