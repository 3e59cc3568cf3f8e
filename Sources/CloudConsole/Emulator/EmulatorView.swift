import CloudAccounts
import CloudPages
import CloudHTTP
import CloudEmulator
import CloudModel
import CloudOperations
import CloudTransfer

/// `/console/emulator`: controls a development server through the endpoints that tests use.
enum EmulatorView {
    static let show: ConsoleEndpoint = { call in
        try requireDevelopment(call)
        return try await page(call, try await call.requirePlace())
    }

    static let change: ConsoleEndpoint = { call in
        try requireDevelopment(call)
        let place = try await call.requirePlace()
        do {
            try await change(call, try await container(call, place))
        } catch let error as ServerError where [.badRequest, .notFound, .exists].contains(error.code) {
            return try await page(call, place, problem: error.pageText)
        }
        return .seeOther(place.address(ConsoleView.emulator.path))
    }

    @discardableResult
    private static func requireDevelopment(_ call: ConsoleCall) throws(PageError) -> Emulator {
        guard let emulator = call.page.site.wire.emulator else {
            throw PageError(
                .notFound, english: "There is no emulator here", "A server that was started with --dev has one.",
                .missing(.page)
            )
        }
        return emulator
    }

    private static func container(_ call: ConsoleCall, _ place: ConsolePlace) async throws -> Container {
        try await call.page.site.accounts.containers.require(named: place.container)
    }

    private static func change(_ call: ConsoleCall, _ container: Container) async throws {
        let (site, form, emulator) = (call.page.site, call.form, try requireDevelopment(call))
        let stores = site.stores
        let clock = ClockEndpoint(clock: emulator.clock)
        let snapshots = SnapshotEndpoints(stores: stores, container: container)
        switch form["do"] {
        case "advance": _ = try clock.change(try EmulatorForm.object(form, [EmulatorForm.advance]))
        case "set": _ = try clock.change(try EmulatorForm.object(form, [EmulatorForm.set]))
        case "freeze", "run": _ = try clock.change(EmulatorForm.flag(form["do"] ?? ""))
        case "fault":
            // The page's place has the container.
            let fields = EmulatorForm.fault(routes: emulator.faults.routes) + [FormField("container", "Container")]
            try emulator.faults.add(try EmulatorForm.object(form, fields))
        case "no faults": emulator.faults.removeAll()
        case "take": _ = try await snapshots.take(try form.text("name"))
        case "restore":
            let name = try form.text("name")
            let choice = try EmulatorForm.object(form, [EmulatorForm.syncTokens(of: name)])
            _ = try await snapshots.restore(name, choice)
            emulator.lint.forget(container: container.name)
        case "drop": _ = try await snapshots.delete(try form.text("name"))
        case "reset":
            let keeps = form["keepSchema"] == "yes" ? EmulatorForm.flag("keepSchema") : JSONObject()
            _ = try await ContainerReset(stores: stores, container: container).respond(keeps)
            emulator.lint.forget(container: container.name)
        case "seed":
            let seed = SeedEndpoint(accounts: site.accounts, stores: stores, limits: site.limits)
            _ = try await seed.respond(FormFields.lines(form["lines"] ?? ""), container.name)
        case "watch": _ = try LintEndpoint(lint: emulator.lint).start(JSONObject())
        case "stop": _ = LintEndpoint(lint: emulator.lint).stop()
        default: throw ServerError.unknownAction
        }
    }

    private static func page(_ call: ConsoleCall, _ place: ConsolePlace, problem: String? = nil) async throws
        -> Response
    {
        let (site, emulator) = (call.page.site, try requireDevelopment(call))
        let panel = EmulatorPanel(
            place: place, clock: emulator.clock.reading,
            faults: try EmulatorPanel.json(emulator.faults.list())["faults"]?.array ?? [],
            routes: emulator.faults.routes,
            snapshots: try site.stores.snapshots(of: try await container(call, place), .development).map(\.text),
            lint: try EmulatorPanel.json(LintEndpoint(lint: emulator.lint).list()))
        return try call.render(
            panel.content(problem: problem), title: "Emulator", view: .emulator, place: place,
            status: problem == nil ? .ok : .badRequest)
    }
}
