import Foundation

/// One signed-in user of one container on a development server.
package struct CloudSession: Sendable {
    /// An answer that is no answer: the server refused the whole request.
    package struct Refused: Error, CustomStringConvertible {
        package let status: Int
        package let text: String

        package init(status: Int, text: String) {
            self.status = status
            self.text = text
        }

        package var description: String { "HTTP \(status): \(text.prefix(400))" }
    }

    /// The token every container of a development server takes.
    package static let apiToken = String(repeating: "d0", count: 32)

    package let caller: HTTPCaller
    package let origin: String
    package let container: String
    /// The credentials as a URL query.
    package let query: String

    package static func signIn(
        _ email: String, to container: String, at origin: String, through caller: HTTPCaller
    ) async throws -> CloudSession {
        struct Session: Decodable { let ckWebAuthToken: String }
        let body = #"{"container":"\#(container)","environment":"development","email":"\#(email)"}"#
        let answer = try await caller.post(body, to: "\(origin)/auth/dev/session")
        let token = try decode(Session.self, from: answer).ckWebAuthToken
        let safe = token.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        return CloudSession(
            caller: caller, origin: origin, container: container,
            query: "ckAPIToken=\(apiToken)&ckWebAuthToken=\(safe)")
    }

    /// The path and query of an action such as `private/records/modify`.
    package func target(_ action: String) -> String {
        "/database/1/\(container)/development/\(action)?\(query)"
    }

    package func send(_ action: String, _ body: String) async throws -> HTTPCaller.Answer {
        try await caller.post(body, to: origin + target(action))
    }

    /// Sends and decodes; anything but a 200 is thrown as ``Refused``.
    package func ask<Answer: Decodable>(
        _ action: String, _ body: String, as type: Answer.Type = RecordsAnswer.self
    ) async throws -> Answer {
        try Self.decode(type, from: try await send(action, body))
    }

    /// Sends a records/modify; any refusal, of the request or of one operation, is thrown.
    @discardableResult
    package func modify(_ database: String, _ body: String) async throws -> [RecordAnswer] {
        let records = try await ask("\(database)/records/modify", body).records
        if let refused = records.first(where: { $0.serverErrorCode != nil }) {
            throw Refused(status: 200, text: "\(refused.serverErrorCode ?? "") \(refused.reason ?? "")")
        }
        return records
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from answer: HTTPCaller.Answer) throws -> Value {
        guard answer.status == 200 else {
            throw Refused(status: answer.status, text: String(decoding: answer.body, as: UTF8.self))
        }
        return try JSONDecoder().decode(type, from: answer.body)
    }
}
