import CloudAssets
import CloudModel

/// The previews that are made, and the attempts that failed, of one environment.
struct PreviewState {
    struct Key: Hashable {
        let file: AssetFile
        let size: PreviewSize
        let format: PreviewFormat
    }

    var making: [Key: Task<Bool, any Error>] = [:]
    /// Pictures that cannot have a preview; remembered to avoid repeated attempts.
    var refused = BoundedCache<AssetFile, Void>(capacity: 100_000)
    /// Pictures whose programs were stopped.
    var pauses = AttemptPauses<AssetFile>(of: "the preview of this picture or video")
    /// Previews that failed in AVIF and are JPEGs: libvips may lack the encoder.
    var onlyJPEG = BoundedCache<Key, Void>(capacity: 100_000)
    /// Whether a very large JPEG can be shrunk while it is read.
    var shrinkable = BoundedCache<AssetFile, Bool>(capacity: 10_000)
    /// Colors of pictures that have tiles.
    var colors = BoundedCache<AssetFile, PictureColor>(capacity: 100_000)
    /// Pictures whose preview is prepared at the moment.
    var preparing: Set<AssetKey> = []
    /// Previews that are to replace those of another format.
    var replacing: Set<Key> = []
}
