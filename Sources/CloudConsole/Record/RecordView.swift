import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/record`: a record with its fields, referrers and system data. Without a name, the form of a new record.
enum RecordView {
    static let show: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.query)
        let type = call.query["name"] == nil ? spot.type : nil
        return try await RecordPage(
            call: call, spot: spot, name: type == nil ? try call.query.text("name") : nil, type: type ?? ""
        ).response()
    }

    /// Saves changed fields or deletes the record, if the record's tag is still that of the form.
    static let save: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.form)
        let change = try await RecordChange(call: call, spot: spot)
        var page = RecordPage(call: call, spot: spot, change: change)
        guard change.faults.isEmpty else { return try await page.response() }
        guard let operation = change.operation else { return .seeOther(spot.record(change.name ?? "")) }
        let outcome: JSONObject?
        do {
            outcome = try await call.operations.run(
                RecordOperations.modify, spot.arguments.with("operations", .array([operation]))
            ).records.first?.object
        } catch let error as ServerError where [400, 404, 413].contains(error.code.status.code) {
            page.problem = error.reason
            return try await page.response()
        }
        switch outcome?["serverErrorCode"]?.string {
        case nil:
            let name = outcome?["recordName"]?.string ?? change.name ?? ""
            return .seeOther(change.isDeletion ? spot.address(type: change.type) : spot.record(name))
        case ServerError.Code.conflict.rawValue? where !change.isDeletion && change.tag != nil:
            return try await RecordConflict(call: call, spot: spot, change: change).page()
        default:
            page.problem = outcome?["reason"]?.string
            return try await page.response()
        }
    }

    /// Rehearses the save of a form and shows the outcome, without saving.
    static let rehearse: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.form)
        let change = try await RecordChange(call: call, spot: spot)
        var page = RecordPage(call: call, spot: spot, change: change)
        guard change.faults.isEmpty else { return try await page.response() }
        guard let operation = change.operation else {
            page.problem = "Nothing was changed, so there is nothing to try."
            return try await page.response()
        }
        do {
            page.verdict = try await call.operations.run(
                RehearsalOperations.run, spot.rehearsal(of: operation))
        } catch let error as ServerError where [400, 404, 413].contains(error.code.status.code) {
            page.problem = error.reason
        }
        return try await page.response()
    }
}

extension DataSpot {
    /// The arguments of a rehearsed save: as the owner in a private database, as an operator elsewhere.
    fileprivate func rehearsal(of operation: JSONValue) -> Arguments {
        var body = [JSONObject.Member(key: "operations", value: .array([operation]))]
        if user != nil {
            let zone = JSONObject([.init(key: "zoneName", value: .string(self.zone))])
            body.append(.init(key: "zoneID", value: .object(zone)))
        }
        let arguments = place.arguments([
            "operation": RehearsedRequest.Operation.modify.rawValue, "user": user,
            "database": (user == nil ? DatabaseScope.public : .private).rawValue,
        ]).with("body", .object(JSONObject(body)))
        return user == nil ? arguments.with("operator", .bool(true)) : arguments
    }
}

extension Arguments {
    func with(_ name: String, _ value: JSONValue) -> Arguments {
        var arguments = self
        arguments[name] = value
        return arguments
    }
}
