internal import System

/// The formats of profiles that can be read.
public enum ProfileFormats {
    /// Every importer; a file belongs to the first that recognizes it.
    static let importers: [any ProfileImporter.Type] = [
        NsightComputeImporter.self, NsightSystemsImporter.self, KinetoImporter.self, RocprofImporter.self,
        PerfStatImporter.self,
    ]

    /// A format as lists show it.
    public struct Format: Hashable, Sendable {
        /// `nsight-compute`.
        public var word: String
        /// `Nsight Compute`.
        public var tool: String
        /// The command that makes such a file.
        public var recipe: String
    }

    /// All formats.
    public static var all: [Format] {
        importers.map { Format(word: $0.format, tool: $0.tool, recipe: $0.recipe) }
    }

    /// The word of the format that the first bytes of a file (64 KiB are enough) are of; nil for no profile.
    public static func recognizes(head: [UInt8]) -> String? {
        importers.first { $0.recognizes(head) }?.format
    }

    static func importer(of head: [UInt8], named word: String?, path: String) throws -> any ProfileImporter.Type {
        if let word {
            if let importer = importers.first(where: { $0.format == word }) { return importer }
            throw Problem(
                .unknown, path, "unknown format \(word)",
                remedy: "Available: \(importers.map { $0.format }.joined(separator: ", ")).")
        }
        if let importer = importers.first(where: { $0.recognizes(head) }) { return importer }
        let (problem, remedy) = foreign(head)
        throw Problem(.invalid, path, problem, remedy: remedy)
    }

    private static func foreign(_ head: [UInt8]) -> (String, String) {
        if head.isEmpty { return ("the file is empty", "Export the profile again.") }
        if head.starts(with: [0x1F, 0x8B]) {
            return ("the file is compressed with gzip", "Decompress it first: gunzip --keep FILE.")
        }
        if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            return ("the file is compressed with zstd", "Decompress it first: zstd --decompress FILE.")
        }
        if head.starts(with: Array("NVR\0".utf8)) || head.starts(with: Array("NVR".utf8)) {
            return (
                "the file is a binary Nsight Compute report",
                "Export it: ncu --import FILE.ncu-rep --csv --page raw > FILE.csv."
            )
        }
        if head.starts(with: Array("SQLite format 3\0".utf8)) {
            return (
                "the SQLite database is not an Nsight Systems export with kernels",
                "Create one: nsys export --type sqlite FILE.nsys-rep."
            )
        }
        return (
            "unknown profile format",
            "Supported tools: " + importers.map { $0.tool }.joined(separator: ", ") + "."
        )
    }
}
