import CloudAccounts
import CloudEngine
import Foundation
import NIOCore
import NIOEmbedded
import TestEngine
import Testing

@testable import CloudHTTP
@testable import CloudServer
import TestCloud

/// Connections of a server that stops.
@Suite(.timeLimit(.minutes(10)))
struct StoppedConnectionTests {
    /// Runs `body` with a connection to a server, on an event loop that runs by hand.
    private func connect(_ body: (EmbeddedChannel) throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let data = root.path()
        let folder = try DataFolder(
            path: data, engine: TestEngine(), assets: try await AssetKeeping.current.backend(data))
        let application = try buildApplication(
            configuration: ServerConfiguration(), pages: TestServer.pages.get(), folder: folder,
            accounts: AccountStore(folder: folder, passwordCost: TestEngine.passwordCost), logger: TestServer.silent)
        try body(try Self.connected(to: application))
    }

    private static func connected(to application: Application) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try application.listener.connection.setUp(channel).wait()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private static let preflight = ByteBuffer(
        string:
            "OPTIONS /database/1/iCloud.a/development/public/records/lookup HTTP/1.1\r\nHost: a\r\nOrigin: https://a\r\n\r\n"
    )

    @Test("An answer written in the turn that stops the server is sent before the connection closes")
    func sent() async throws {
        try await connect { channel in
            try channel.writeInbound(Self.preflight)
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            // Before the end of the turn, which would flush the answer.
            guard case .byteBuffer(let answer) = try channel.readOutbound(as: IOData.self) else {
                Issue.record("nothing was sent")
                return
            }
            #expect(String(buffer: answer).hasPrefix("HTTP/1.1 200"))
            #expect(!channel.isActive)
        }
    }
}
