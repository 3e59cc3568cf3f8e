import CumulusKit

/// Two devices change the list without knowing of each other, and come to have the same.
struct KeepInStep {
    let app: CKContainer
    let stage: Stage

    func play() async throws {
        let phone = Device(app.device("phone"))
        let tablet = Device(app.device("tablet"))
        stage.want("A phone and a tablet keep the list, each with a sync engine of its own.")
        try await phone.engine.fetchChanges()
        try await Wire.quietly { try await tablet.engine.fetchChanges() }
        try stage.check("the phone has what is there", phone.list, is: ["bread: amount 1", "milk: amount 2"])
        try stage.check("and so has the tablet", tablet.list, is: phone.list)

        stage.want("Without a network both change the milk, and each adds something.")
        phone.set("amount", 3, of: "milk")
        phone.set("amount", 6, of: "eggs")
        tablet.set("bought", 1, of: "milk")
        tablet.set("amount", 1, of: "cheese")
        try stage.check("they do not agree", phone.list != tablet.list, is: true)

        stage.want("The phone is back first, and sends.")
        try await phone.engine.sendChanges()
        stage.want("The tablet sends too. For the milk it is too late, so it merges, and sends that again.")
        try await tablet.engine.sendChanges()
        stage.want("Each fetches what the other did.")
        try await phone.engine.fetchChanges()
        try await tablet.engine.fetchChanges()
        let both = ["bread: amount 1", "cheese: amount 1", "eggs: amount 6", "milk: amount 3, bought 1"]
        try stage.check("the phone has all of it", phone.list, is: both)
        try stage.check("and so has the tablet", tablet.list, is: both)
        let unsent = [phone, tablet].flatMap(\.engine.state.pendingRecordZoneChanges)
        try stage.check("nothing is left to send", unsent.count, is: 0)

        stage.want("The tablet is started again. Its state says how far it had come.")
        tablet.start()
        let read = stage.server.wire.counts.records
        try await tablet.engine.fetchChanges()
        try stage.check("nothing comes twice", stage.server.wire.counts.records, is: read)
    }
}
