import CloudWire
import CloudModel
import CloudServer
import Foundation
import TestWire
import Testing

/// SIGTERM: requests in flight are finished, and nothing keeps the program from ending.
@Suite(.timeLimit(.minutes(20)))
struct StoppingTests {
    private let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    @Test("A request in flight is finished, and its record is stored") func inFlight() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let port = try server.port
        let token = try await Self.signIn(port)
        let body =
            #"{"operations": [{"operationType": "create", "record": {"recordName": "n1", "recordType": "Note"}}]}"#
        let wire = try Wire(port: port)
        // Once the first is answered, the second has begun to arrive: they came together.
        let health = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        try await wire.send(health + Self.head("records/modify", token, length: body.utf8.count) + body.dropLast(20))
        #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 200"))
        async let status = server.stop()
        try await wire.send(String(body.suffix(20)), onceRefusedAt: port)
        let answer = try await wire.readAnswer()
        #expect(answer.head.hasPrefix("HTTP/1.1 200"))
        #expect(answer.body.contains("recordChangeTag"))
        #expect(await status == 0)

        let next = try await RunningServer(cumulus, "--dev")
        let again = try Wire(port: try next.port)
        let lookup = #"{"records": [{"recordName": "n1"}]}"#
        try await again.send(Self.head("records/lookup", token, length: lookup.utf8.count) + lookup)
        #expect(try await again.readAnswer().body.contains(#""recordType":"Note""#))
        #expect(await next.stop() == 0)
    }

    @Test("An idle server stops without waiting for timers", .timeLimit(.minutes(5)), arguments: [[], ["--dev"]])
    func idleStop(options: [String]) async throws {
        let source = try cumulus.file("slow-timers.c", Self.slowTimers).path()
        let library = cumulus.folder.appending(path: "slow-timers.so").path()
        let made = try await cumulus.bash("cc -shared -fPIC -o '\(library)' '\(source)' -ldl")
        try #require(made.status == 0, "\(made.errors)")
        let slow = ["LD_PRELOAD": library, "SLOW_TIMERS": cumulus.folder.appending(path: "slow").path()]
        let server =
            try await options.isEmpty
            ? RunningServer(cumulus, environment: slow) : RunningServer(cumulus, "--dev", environment: slow)
        #expect(try await server.status("/health") == 200)
        _ = try cumulus.file("slow", "")
        // A wait of a tenth of a second would take longer than the time limit.
        #expect(await server.stop() == 0)
    }

    /// Makes what is waited for by time ten thousand times as long, once the file that SLOW_TIMERS names is there.
    private static let slowTimers = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <poll.h>
        #include <stdlib.h>
        #include <sys/epoll.h>
        #include <sys/timerfd.h>
        #include <time.h>
        #include <unistd.h>

        #define FACTOR 10000
        #define NEXT(name) static __typeof__(name) *next; if (!next) next = dlsym(RTLD_NEXT, #name)

        static int is_slow(void) {
            const char *name = getenv("SLOW_TIMERS");
            return name && access(name, F_OK) == 0;
        }
        static struct timespec longer(struct timespec time) {
            __int128 all = ((__int128)time.tv_sec * 1000000000 + time.tv_nsec) * FACTOR;
            if (all <= 0) return time;
            time.tv_sec = all / 1000000000;
            time.tv_nsec = all % 1000000000;
            return time;
        }
        int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
            NEXT(timerfd_settime);
            if (!is_slow()) return next(fd, flags, value, old);
            struct itimerspec slow = *value;
            if (flags & TFD_TIMER_ABSTIME) {
                // An hour is longer than this test may take.
                if (slow.it_value.tv_sec || slow.it_value.tv_nsec) slow.it_value.tv_sec += 3600;
            } else {
                slow.it_value = longer(slow.it_value);
            }
            return next(fd, flags, &slow, old);
        }
        int epoll_wait(int fd, struct epoll_event *events, int most, int timeout) {
            NEXT(epoll_wait);
            return next(fd, events, most, timeout > 0 && is_slow() ? -1 : timeout);
        }
        int poll(struct pollfd *fds, nfds_t count, int timeout) {
            NEXT(poll);
            return next(fds, count, timeout > 0 && is_slow() ? -1 : timeout);
        }
        int nanosleep(const struct timespec *time, struct timespec *left) {
            NEXT(nanosleep);
            struct timespec slow = longer(*time);
            return next(is_slow() ? &slow : time, left);
        }
        int usleep(useconds_t time) {
            struct timespec slow = {time / 1000000, time % 1000000 * 1000};
            return nanosleep(&slow, NULL);
        }
        """

    @Test("A client that never finishes sending does not delay the shutdown") func slowSender() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let idle = try Wire(port: try server.port)
        let slow = try Wire(port: try server.port)
        try await slow.send(
            "GET /health HTTP/1.1\r\nHost: a\r\n\r\n" + Self.head("records/modify", "x", length: 100) + "{")
        #expect(try await slow.readAnswer().head.hasPrefix("HTTP/1.1 200"))
        #expect(await server.stop() == 0)
        #expect(try await idle.readAll() == "")
    }

    @Test("A client that never reads its download does not delay the shutdown") func slowReader() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        // More than a connection holds.
        let sent = try await server.post(try await person.uploadLink(), Data(count: 40 << 20))
        try await person.save(
            "large", file: try #require(try JSONParser.parse(Array(sent.body)).object?["singleFile"]))
        let path = try await person.downloadLink("large").dropFirst(server.origin.count)
        let reader = try Wire(port: try server.port)
        try await reader.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await server.status("/health") == 200)
        #expect(await server.stop() == 0)
    }

    @Test("A waiting poll is released at shutdown") func waitingPolls() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let port = try server.port
        let session = try await Self.signIn(port)
        let health = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        var polls: [Wire] = []
        for number in 0..<20 {
            let wire = try Wire(port: port)
            let token = try await Self.pushToken(port, session)
            // Once the first is answered, the second has arrived: they came together.
            try await wire.send(
                health + "GET /\(number == 0 ? "events" : "aps")?tok=\(token) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 200"))
            polls.append(wire)
        }
        async let status = server.stop()
        for (number, wire) in polls.enumerated() {
            let rest = try await wire.readAll()
            #expect(rest.hasPrefix("HTTP/1.1 200"))
            if number > 0 { #expect(rest.hasSuffix("\r\n\r\n")) }
        }
        #expect(await status == 0)
    }

    private static func pushToken(_ port: Int, _ session: String) async throws -> String {
        let wire = try Wire(port: port)
        let body = #"{"apnsEnvironment": "development"}"#
        try await wire.send(
            head("tokens/create", session, length: body.utf8.count) + body)
        let json = try JSONParser.parse(Array(try await wire.readAnswer().body.utf8))
        return try #require(json.object?["apnsToken"]?.string)
    }

    static func signIn(_ port: Int, email: String = "mei@example.com") async throws -> String {
        let wire = try Wire(port: port)
        let body = #"{"container": "c", "environment": "development", "email": "\#(email)"}"#
        try await wire.send(
            "POST /auth/dev/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let json = try JSONParser.parse(Array(try await wire.readAnswer().body.utf8))
        return try #require(json.object?["ckWebAuthToken"]?.string)
    }

    static func head(_ endpoint: String, _ token: String, length: Int) -> String {
        let token = token.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        let query = "ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken=\(token)"
        return
            "POST /database/1/c/development/private/\(endpoint)?\(query) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
    }
}

extension RunningServer {
    var port: Int {
        get throws { try #require(origin.split(separator: ":").last.flatMap { Int($0) }) }
    }
}
