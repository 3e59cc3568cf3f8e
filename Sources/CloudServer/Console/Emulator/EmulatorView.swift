import CloudModel
import CloudOperations
import CloudStore

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

    private static func requireDevelopment(_ call: ConsoleCall) throws(PageError) {
        guard call.page.site.configuration.dev else {
            throw PageError(
                .notFound, "There is no emulator here", "A server that was started with --dev has one.", .missing(.page)
            )
        }
    }

    private static func container(_ call: ConsoleCall, _ place: ConsolePlace) async throws -> Container {
        try await call.page.site.accounts.containers.require(named: place.container)
    }

    private static func change(_ call: ConsoleCall, _ container: Container) async throws {
        let (site, form) = (call.page.site, call.form)
        let (stores, configuration) = (site.stores, site.configuration)
        let clock = ClockEndpoint(clock: configuration.clock)
        let snapshots = SnapshotEndpoints(stores: stores, container: container)
        switch form["do"] {
        case "advance": _ = try clock.change(try EmulatorForm.object(form, [.init("advance", .number)]))
        case "set": _ = try clock.change(try EmulatorForm.object(form, [.init("set", .moment)]))
        case "freeze", "run": _ = try clock.change(EmulatorForm.flag(form["do"] ?? ""))
        case "fault": try configuration.faults.add(try EmulatorForm.object(form, EmulatorForm.fault))
        case "no faults": configuration.faults.removeAll()
        case "take": _ = try await snapshots.take(try form.text("name"))
        case "restore":
            _ = try await snapshots.restore(try form.text("name"), try EmulatorForm.object(form, [.init("syncTokens")]))
            configuration.lint.forget(container: container.name)
        case "drop": _ = try await snapshots.delete(try form.text("name"))
        case "reset":
            let keeps = form["keepSchema"] == "yes" ? EmulatorForm.flag("keepSchema") : JSONObject()
            _ = try await ContainerReset(stores: stores, container: container).respond(keeps)
            configuration.lint.forget(container: container.name)
        case "seed":
            let seed = SeedEndpoint(accounts: site.accounts, stores: stores, limits: configuration.limits)
            _ = try await seed.respond(FormFields.lines(form["lines"] ?? ""), container.name)
        case "watch": _ = try LintEndpoint(lint: configuration.lint).start(JSONObject())
        case "stop": _ = LintEndpoint(lint: configuration.lint).stop()
        default: throw ServerError.unknownAction
        }
    }

    private static func page(_ call: ConsoleCall, _ place: ConsolePlace, problem: String? = nil) async throws
        -> Response
    {
        let site = call.page.site
        let panel = EmulatorPanel(
            place: place, clock: site.configuration.clock.reading,
            faults: try EmulatorPanel.json(site.configuration.faults.list())["faults"]?.array ?? [],
            snapshots: try site.stores.snapshots(of: try await container(call, place), .development).map(\.text),
            lint: try EmulatorPanel.json(LintEndpoint(lint: site.configuration.lint).list()))
        return try call.render(
            panel.content(problem: problem), title: "Emulator", view: .emulator, place: place,
            status: problem == nil ? .ok : .badRequest)
    }
}
