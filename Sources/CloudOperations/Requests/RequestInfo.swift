package import CloudModel

/// A page of the records of requests.
package struct RequestList: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        nil, "The requests, and the position to go on after.")

    package let requests: [RequestInfo]
    package let next: Int64
}

/// The record of a request.
package struct RequestInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "RequestRecord", "One request. It holds no token, password, secret of a link or value of a field.",
        [
            "position": "Its place in the order of all requests.",
            "time": "When it was answered, in milliseconds since 1970.",
            "route": "The pattern of its path, such as `records/modify`.",
            "container": "The container, where there is one of the name.",
            "user": "The user record name of the caller.",
            "email": "The address of that user, for whoever may see people or their records.",
            "address": "The client's address, of IPv6 its first 64 bits.",
            "reason": "The reason, with … in the place of what a client has sent.",
            "operations": "The first operations that succeeded and the first that were refused.",
            "trail": "The decisions in their order; that of a refused request ends in the cause.",
            "line": "The request in one line.",
        ])

    package let uuid: String
    package let position: Int64
    package let time: Int64
    package let method: String
    package let route: String
    package let container: String?
    package let environment: ContainerEnvironment?
    package let database: DatabaseScope?
    package let user: String?
    package let email: String?
    package let address: String?
    package let traceparent: String?
    package let status: Int
    package let serverErrorCode: String?
    package let reason: String?
    package let cost: Cost
    package let succeeded: Int64?
    package let failed: Int64?
    package let operations: [Operation]?
    package let trail: [Step]
    package let line: String

    package struct Cost: Codable, Hashable, Sendable {
        package let microseconds: Int64
        package let queueMicroseconds: Int64
        package let storeMicroseconds: Int64
        package let renderingMicroseconds: Int64
        package let bytesIn: Int64
        package let bytesOut: Int64?
        package let statements: Int64
        package let rowsRead: Int64
        package let rowsAnswered: Int64
        package let notifications: Int64
    }

    package struct Operation: Codable, Hashable, Sendable {
        package let index: Int64
        package let recordName: String?
        package let recordType: String?
        package let serverErrorCode: String?
        package let reason: String?
        package let cause: Step?
    }

    /// A decision.
    package struct Step: Codable, Hashable, DocumentedValue {
        package static let about = AnswerText("TrailStep", "", ["step": "The kind of decision."])

        package let step: Kind
        package let outcome: Outcome
        package let text: String
    }

    /// The kind of a step or a cause.
    package struct Kind: RawRepresentable, Codable, Hashable, CaseIterable, Sendable {
        package static let allCases = Set(Cause.kinds + TrailStep.kinds).sorted().compactMap { Kind(rawValue: $0) }

        package let rawValue: String

        package init?(rawValue: String) { self.rawValue = rawValue }
    }

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        case passed, stopped
    }
}
