import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import Synchronization

/// Pictures for bright screens (PQ and HLG) in HEIC, AVIF and PNG. libvips takes their pixels for sRGB, which looks flat.
extension PreviewMaker {
    /// The types in which such pictures are stored.
    static func mayBeBright(_ type: String) -> Bool { ["image/heic", "image/avif", "image/png"].contains(type) }

    /// Makes a JPEG for every screen, of which previews are made then: libvips decodes, turns and shrinks the picture, and
    /// ffmpeg maps its tones.
    ///
    /// - Returns: ``PreviewOutcome/unusable`` without ffmpeg.
    func makeFrame(
        of mapping: ToneMapping, at target: String, for account: String, isAhead: Bool,
        _ open: () async throws -> (any AssetReading)?
    ) async throws -> PreviewOutcome {
        guard let posters else { return .unusable }
        let pixels = target + ".pixels"
        unlink(pixels)
        defer { unlink(pixels) }
        let decoded = try await copied(at: target, for: account, isAhead: isAhead, open) { source, program in
            try await decode(source, to: pixels, by: program)
        }
        guard decoded == .made(nil) else { return decoded }
        return try await posters.make(
            of: PosterMaker.pixels, at: target, for: account, mapping: mapping, isAhead: isAhead
        ) { try FileReader(path: pixels, slots: FileSlots()) }
    }

    private func decode(
        _ source: String, to pixels: String, by program: ConfinedProgram
    ) async throws -> PreviewOutcome {
        var program = program
        let bounds = PreviewSize.large.bounds
        program.arguments = [
            "stdin", "--size", "\(bounds.width)x\(bounds.height)>", "--output", ".png[compression=1,strip]",
        ]
        starts.add(1, ordering: .relaxed)
        let end = await program.run(
            input: try Self.open(source, O_RDONLY), output: try Self.open(pixels, O_WRONLY | O_CREAT | O_TRUNC))
        if case .didNotStart = end { return .undone }
        if let stop = program.stop(end) { return try program.undone(stop) }
        return end == .exited(0) ? .made(nil) : .unusable
    }
}
