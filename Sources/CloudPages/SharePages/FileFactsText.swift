import CloudHTTP
import CloudMedia
import CloudModel
import CloudStore

/// Facts of files as text.
enum FileFactsText {
    /// The zone beside a clock's digits; nil if it is unknown.
    static func zone(of time: TakenTime) -> String? {
        switch time.zone {
        case .unknown: return nil
        case .utcOnly, .offset(0): return "UTC"
        case .offset(let minutes):
            let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
            return "UTC\(minutes < 0 ? "−" : "+")\(hours)" + (rest == 0 ? "" : ":\(padded(rest))")
        }
    }

    /// Minutes and seconds, such as `1:05`.
    static func length(_ duration: Duration) -> String {
        let seconds = max(duration.components.seconds, 1)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let head = hours > 0 ? "\(hours):\(padded(Int(minutes)))" : "\(minutes)"
        return "\(head):\(padded(Int(seconds % 60)))"
    }

    /// Maker and model; the model alone if it begins with the maker.
    static func camera(_ facts: FileFacts) -> String? {
        guard let model = facts.camera.model else { return facts.camera.make }
        guard let make = facts.camera.make, !model.lowercased().hasPrefix(make.lowercased()) else { return model }
        return "\(make) \(model)"
    }

    /// Exposure time, aperture, sensitivity and focal length; nil if none is known.
    static func exposure(_ facts: FileFacts, _ language: PageLanguage) -> String? {
        let camera = facts.camera
        let parts = [
            camera.exposure.flatMap { seconds($0, language) },
            camera.aperture.flatMap { short($0, language) }.map { "ƒ/\($0)" },
            camera.sensitivity.flatMap { $0 > 0 ? "ISO \($0)" : nil },
            camera.focalLength.flatMap { short($0, language) }.map { "\($0) mm" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    private static func seconds(_ seconds: Double, _ language: PageLanguage) -> String? {
        guard seconds > 0, seconds < 1, 1 / seconds < 1e9 else { return short(seconds, language).map { "\($0) s" } }
        return "1/\(Int((1 / seconds).rounded())) s"
    }

    /// With a decimal at most; nil for numbers that no camera has.
    private static func short(_ number: Double, _ language: PageLanguage) -> String? {
        (0.01..<1e6).contains(number) ? language.number((number * 10).rounded() / 10) : nil
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
