package import CloudModel

/// `GET` and `PUT /emulator/1/clock`: shows and sets the development server's clock.
package struct ClockEndpoint {
    package let clock: SettableClock

    package init(clock: SettableClock) {
        self.clock = clock
    }

    package func show() -> JSONWriter {
        let reading = clock.reading
        var json = JSONWriter()
        json.object {
            $0.member("now", reading.now.milliseconds)
            $0.member("isFrozen", reading.isFrozen)
        }
        return json
    }

    /// - Parameter body: one of `{"set"}`, `{"advance"}`, `{"freeze"}` and `{"run"}`.
    /// - Throws: `BAD_REQUEST` naming the member at fault.
    package func change(_ body: JSONObject) throws -> JSONWriter {
        guard body.members.count == 1, let change = body.members.first else {
            throw ServerError.badRequest(
                "the body must have one member of set, advance, freeze and run, not \(body.members.count)")
        }
        switch change.key {
        case "set":
            guard let time = change.value.integer else {
                throw ServerError.badRequest(
                    "set: must be a time in whole milliseconds since 1970, not \(known: change.value.kind)")
            }
            try clock.set(Timestamp(milliseconds: time))
        case "advance": try clock.advance(by: .seconds(min(Self.seconds(change.value), SettableClock.last.seconds)))
        case "freeze":
            try Self.requireTrue(change)
            clock.freeze()
        case "run":
            try Self.requireTrue(change)
            clock.run()
        default:
            throw ServerError.badRequest(
                "'\(Naming.shown(change.key))': unknown member; known are set, advance, freeze and run")
        }
        return show()
    }

    private static func seconds(_ value: JSONValue) throws -> Double {
        switch value {
        case .integer(let seconds) where seconds >= 0: Double(seconds)
        case .number(let seconds) where seconds >= 0: seconds
        default: throw ServerError.badRequest("advance: must be a number of seconds, 0 or more")
        }
    }

    private static func requireTrue(_ member: JSONObject.Member) throws {
        guard case .bool(true) = member.value else {
            throw ServerError.badRequest("\(Naming.shown(member.key)): must be true")
        }
    }
}
