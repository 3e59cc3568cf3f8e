import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// `GET /metrics`, at an address of its own, for Prometheus.
struct MetricsEndpoint: HTTPResponder {
    typealias Context = BasicRequestContext

    let metrics: ServerMetrics
    let gauges: MetricGauges

    func respond(to request: Request, context: Context) async throws -> Response {
        guard request.uri.path == "/metrics" else { return Self.text("metrics are at /metrics\n", .notFound) }
        guard [.get, .head].contains(request.method) else {
            return Self.text("metrics are read with GET\n", .methodNotAllowed)
        }
        gauges.look(metrics)
        let answer = Self.text(metrics.registry.text(), .ok)
        return request.method == .head ? answer.createHeadResponse() : answer
    }

    private static func text(_ text: String, _ status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The listener, as a service that runs beside the server.
    static func service(
        _ address: HostAndPort, metrics: ServerMetrics, gauges: MetricGauges, logger: Logger
    ) -> some Service {
        Application(
            responder: MetricsEndpoint(metrics: metrics, gauges: gauges),
            server: .http1(configuration: .init(idleTimeout: .seconds(75))),
            configuration: .init(address: .hostname(address.host, port: address.port), serverName: nil),
            onServerRunning: { channel in
                logger.info(
                    "metrics are at http://\(address.host):\(channel.localAddress?.port ?? address.port)/metrics")
            },
            logger: logger)
    }
}
