/// A subscription's notification options (reference B §6.2), validated. Answers echo the original JSON.
package struct NotificationInfo: Sendable {
    /// Alert texts by their APNs keys.
    package private(set) var alertTexts: [(key: String, text: String)] = []
    /// Fields that supply arguments to the alert's localized texts, by the arguments' APNs key.
    package private(set) var alertFields: [(key: String, fields: [String])] = []
    package private(set) var sound: String?
    package private(set) var category: String?
    package private(set) var badges = false
    package private(set) var isContentAvailable = false
    package private(set) var isMutable = false
    /// Fields whose values are sent in the notification, at most three.
    package private(set) var additionalFields: [String] = []

    package static let mostAdditionalFields = 3

    /// True if notifications carry values of the record's fields.
    package var bringsFields: Bool { !alertFields.isEmpty || !additionalFields.isEmpty }

    /// Keys of the dictionary with their names in the APNs alert.
    private static let texts = [
        ("alertBody", "body"), ("alertLocalizationKey", "loc-key"), ("alertActionLocalizationKey", "action-loc-key"),
        ("alertLaunchImage", "launch-image"), ("title", "title"), ("titleLocalizationKey", "title-loc-key"),
        ("subtitle", "subtitle"), ("subtitleLocalizationKey", "subtitle-loc-key"),
    ]
    private static let arguments = [
        ("alertLocalizationArgs", "loc-args"), ("titleLocalizationArgs", "title-loc-args"),
        ("subtitleLocalizationArgs", "subtitle-loc-args"),
    ]

    /// No alert, no sound, no badge.
    package init() {}

    package init(_ json: JSONValue) throws(ServerError) {
        guard let object = json.object else {
            throw .badRequest("notificationInfo must be an object, not \(known: json.kind)")
        }
        for (key, name) in Self.texts {
            if let text = try Self.text(key, object) { alertTexts.append((name, text)) }
        }
        for (key, name) in Self.arguments {
            if let fields = try Self.names(key, object) { alertFields.append((name, fields)) }
        }
        sound = try Self.text("soundName", object)
        category = try Self.text("category", object)
        _ = try Self.text("collapseIDKey", object)
        badges = try Self.flag("shouldBadge", object)
        isContentAvailable = try Self.flag("shouldSendContentAvailable", object)
        isMutable = try Self.flag("shouldSendMutableContent", object)
        additionalFields = try Self.names("additionalFields", object) ?? []
        guard additionalFields.count <= Self.mostAdditionalFields else {
            throw .badRequest(
                "notificationInfo.additionalFields has \(additionalFields.count) names, "
                    + "at most \(Self.mostAdditionalFields) are allowed")
        }
    }

    private static func text(_ key: String, _ object: JSONObject) throws(ServerError) -> String? {
        guard let value = object[key] else { return nil }
        guard let text = value.string else { throw fault(key, "must be a string", value) }
        return text
    }

    private static func flag(_ key: String, _ object: JSONObject) throws(ServerError) -> Bool {
        guard let value = object[key] else { return false }
        guard let flag = value.bool else { throw fault(key, "must be true or false", value) }
        return flag
    }

    private static func names(_ key: String, _ object: JSONObject) throws(ServerError) -> [String]? {
        guard let value = object[key] else { return nil }
        guard let array = value.array else { throw fault(key, "must be an array of field names", value) }
        var names: [String] = []
        for element in array {
            guard let name = element.string else { throw fault(key, "must hold field names", element) }
            names.append(name)
        }
        return names
    }

    private static func fault(_ key: String, _ rule: String, _ value: JSONValue) -> ServerError {
        .badRequest("notificationInfo.\(known: key) \(known: rule), not \(known: value.kind)")
    }
}
