package import CloudHTTP
package import Logging
package import ServiceLifecycle

/// `GET /metrics` on a separate listener, for Prometheus.
package struct MetricsEndpoint: Sendable {
    package let metrics: ServerMetrics
    package let gauges: MetricGauges

    package func respond(to request: Request) -> Response {
        guard request.path == "/metrics" else { return Self.text("metrics are at /metrics\n", .notFound) }
        guard [.get, .head].contains(request.method) else {
            return Self.text("metrics are read with GET\n", .methodNotAllowed)
        }
        gauges.look(metrics)
        let answer = Self.text(metrics.registry.text(), .ok)
        return request.method == .head ? answer.withoutBody() : answer
    }

    private static func text(_ text: String, _ status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(bytes: Array(text.utf8)))
    }

    /// The listener as a service.
    package static func service(
        _ address: HostAndPort, metrics: ServerMetrics, gauges: MetricGauges, logger: Logger
    ) -> some Service {
        let endpoint = MetricsEndpoint(metrics: metrics, gauges: gauges)
        return PlainServer(host: address.host, port: address.port) {
            endpoint.respond(to: $0)
        } onListening: { port in
            logger.info("metrics are at http://\(address.host):\(port)/metrics")
        }
    }
}
