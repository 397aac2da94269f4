/// Reads one format of one profiler. An importer knows neither the workspace nor a screen: it turns a file into launches.
///
/// A new format is one file with one such type, and one line in `ProfileFormats.all`.
protocol ProfileImporter: SendableMetatype {
    /// The word that commands and lists use: `nsight-compute`.
    static var format: String { get }
    /// The tool's own name: `Nsight Compute`.
    static var tool: String { get }
    /// How to make such a file, for the sentence about an unknown one.
    static var recipe: String { get }

    /// Whether a file is of this format, by the first bytes of its content (up to 64 KiB, perhaps cut).
    static func recognizes(_ head: [UInt8]) -> Bool

    init(options: ProfileImportOptions)

    /// Hands every launch of the source to the sink, as soon as it is complete.
    ///
    /// - Throws: `Problem`, `CancellationError`, and what the sink throws.
    mutating func read(_ source: ProfileSource, into sink: ProfileSink) throws
}

/// How a profile is to be read.
public struct ProfileImportOptions: Hashable, Sendable {
    /// The format's word; nil asks the content.
    public var format: String?
    public var halfLanes: HalfLanes
    /// The profile's title; nil takes the file's name.
    public var title: String?

    public init(format: String? = nil, halfLanes: HalfLanes = .two, title: String? = nil) {
        self.format = format
        self.halfLanes = halfLanes
        self.title = title
    }
}

/// How many half-precision numbers one thread's instruction is taken to work on.
///
/// The counters of `hadd`, `hmul` and `hfma` count instructions. Those of packed code (`half2`) work on two numbers, and
/// NVIDIA's newer charts count all of them so; older ones, and much of the literature, count one.
public enum HalfLanes: Int, CaseIterable, Hashable, Sendable {
    case one = 1
    case two = 2
}

/// How far an import is.
public struct ProfileImportProgress: Hashable, Sendable {
    public var bytesDone: Int
    public var bytesTotal: Int
    public var launches: Int

    public init(bytesDone: Int, bytesTotal: Int, launches: Int) {
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.launches = launches
    }
}
