/// A browser and its device, for the list of places where a person is signed in. Both are of fixed lists; nothing else of
/// the `User-Agent` is kept.
package struct BrowserName: Hashable, Sendable {
    package enum Browser: String, CaseIterable, Sendable {
        case edge = "Edge"
        case opera = "Opera"
        case samsung = "Samsung Internet"
        case firefox = "Firefox"
        case chrome = "Chrome"
        case safari = "Safari"

        /// Products in a `User-Agent`. Later browsers name earlier ones, so the first that is found counts.
        fileprivate var products: [String] {
            switch self {
            case .edge: ["Edg/", "EdgA/", "EdgiOS/", "Edge/"]
            case .opera: ["OPR/", "OPT/", "OPiOS/"]
            case .samsung: ["SamsungBrowser/"]
            case .firefox: ["Firefox/", "FxiOS/"]
            case .chrome: ["Chrome/", "CriOS/", "Chromium/"]
            case .safari: ["Safari/"]
            }
        }
    }

    package enum Device: String, CaseIterable, Sendable {
        case iPhone
        case iPad
        case android = "Android"
        case chromebook = "Chromebook"
        /// Also an iPad whose Safari asks for desktop sites, as by default.
        case mac = "Mac"
        case windows = "Windows"
        case linux = "Linux"

        fileprivate var mark: String {
            switch self {
            case .iPhone: "(iPhone"
            case .iPad: "(iPad"
            case .android: "Android"
            case .chromebook: "CrOS"
            case .mac: "(Macintosh"
            case .windows: "(Windows NT"
            case .linux: "Linux"
            }
        }
    }

    package let browser: Browser
    package let device: Device

    /// The longest part of a `User-Agent` that is looked at, in bytes.
    private static let longestAgent = 512

    /// Nil for a missing header, and for an unknown browser or device.
    package init?(userAgent: String?) {
        guard let userAgent else { return nil }
        let agent = String(decoding: userAgent.utf8.prefix(Self.longestAgent), as: UTF8.self)
        guard let device = Device.allCases.first(where: { agent.contains($0.mark) }),
            let browser = Browser.allCases.first(where: { $0.products.contains { agent.contains(" " + $0) } })
        else { return nil }
        (self.browser, self.device) = (browser, device)
    }

    /// - Parameter text: a stored ``text``.
    init?(text: String?) {
        let parts = text?.split(separator: "/") ?? []
        guard parts.count == 2, let browser = Browser(rawValue: String(parts[0])),
            let device = Device(rawValue: String(parts[1]))
        else { return nil }
        (self.browser, self.device) = (browser, device)
    }

    /// The text kept with a login, at most 30 bytes.
    var text: String { "\(browser.rawValue)/\(device.rawValue)" }
}
