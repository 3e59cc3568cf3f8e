import CloudModel
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Speaks HTTP/1.1 on the connections of the server, within the bounds that each must keep to.
struct HTTPConnection: ServerChildChannel {
    /// A connection, and the end of it and of its last answer.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let ended: EventLoopFuture<Void>
    }

    let configuration: ServerConfiguration
    let responder: Responder
    let gate: ConnectionGate
    let dates = DateField()

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let ended = channel.eventLoop.makePromise(of: Void.self)
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false)
            try pipeline.addHandlers(EarlierRequests(), HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandlers(bounds())
            try pipeline.addHandlers(
                HTTPConnectionStateHandler(idleTimeout: configuration.idleTime, logger: logger),
                ExchangeHandler(responder: responder, dates: dates, ended: ended))
            return Value(channel: channel, ended: ended.futureResult)
        }
    }

    private func bounds() -> [any ChannelHandler] {
        let connections = responder.bounds.connections
        return [
            Crowding(gate: gate, recorder: responder.recorder),
            ConnectionBounds(connections: connections, readingTime: configuration.readingTime),
            SlowSenders(
                longest: TimeAmount(configuration.requestTime),
                longestUpload: TimeAmount(configuration.assetUploadTime)),
            Invitation(
                largestBody: configuration.limits.requestBytes, assetBytes: configuration.limits.assetBytes),
        ]
    }

    /// Lasts as long as the connection; the server ends when all have.
    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            try? await value.ended.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }
}
